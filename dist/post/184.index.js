const u=184,O=[184],U={5184:((f,n,o)=>{o.r(n),o.d(n,{setOutputs:()=>_});var e=o(3024),c=o(6421);const T=["GITHUB_OUTPUT","GITHUB_STATE","GITHUB_ENV","GITHUB_PATH"];function _(E){for(const s of T){const t=process.env[s];t&&(0,e.writeFileSync)(t,"")}for(const[s,t]of Object.entries(E))(0,c.uH)(s,t)}})};export{u as id,O as ids,U as modules};
//# sourceMappingURL=184.index.js.map
