const id="missing-kerberos",ids=["missing-kerberos"],modules={m39ccaf:(module=>{module.exports=eval("require")("kerberos")})};export{id,ids,modules};
