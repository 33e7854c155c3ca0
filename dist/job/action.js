const m="action",i=["action"],l={m0b9747:((t,s,o)=>{o.a(t,async(c,n)=>{try{o.r(s);var d=o("mfe36cd");await(0,d.S)(async()=>(await Promise.all([o.e("smol-toml"),o.e("shared-config-config"),o.e("job-run-action")]).then(o.bind(o,"mda5d26"))).runAction,"smithers/loop"),n()}catch(a){n(a)}},1)})};export{m as id,i as ids,l as modules};
//# sourceMappingURL=action.js.map
