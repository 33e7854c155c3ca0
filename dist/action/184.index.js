const f=184,O=[184],U={5184:((E,s,t)=>{t.d(s,{setOutputs:()=>T});var e=t(3024),n=t(7264);const c=["GITHUB_OUTPUT","GITHUB_STATE","GITHUB_ENV","GITHUB_PATH"];function T(u){for(const _ of c){const o=process.env[_];o&&(0,e.writeFileSync)(o,"")}for(const[_,o]of Object.entries(u))(0,n.uH)(_,o)}})};export{f as id,O as ids,U as modules};
//# sourceMappingURL=184.index.js.map
