const e=500,t=[500],p={2119:((d,o,_)=>{_.d(o,{parse:()=>s.qg});var s=_(8815)})};export{e as id,t as ids,p as modules};
//# sourceMappingURL=500.index.js.map
