const n=971,i=[971],m={8971:((d,o,t)=>{t.r(o),t.d(o,{writeJobSummary:()=>e});var r=t(7264);async function e(a){await r.z.emptyBuffer().addRaw(a).write({overwrite:!0})}})};export{n as id,i as ids,m as modules};
//# sourceMappingURL=971.index.js.map
