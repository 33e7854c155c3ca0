const Ve="report-page",Ze=["report-page"],Ye={mfcb333:((it,H,m)=>{m.d(H,{ho:()=>k,nx:()=>X,xx:()=>L});const X="2026-11-24",O=/-\d{4}-\d{2}-\d{2}$/u;function L(a,P,E){if(a===null)return;const i=a.replace(O,"");return P.get(a)??P.get(i)??E.find(F=>F.model===i)}const p=1e6;function k({input:a,cachedInput:P,output:E},i){const M=Math.max(0,a-P)*i.input+Math.min(P,a)*i.cachedInput+E*i.output;return Math.ceil(Math.round(M*p)/p)}}),m77b224:((it,H,m)=>{m.d(H,{reportPage:()=>Ke});var X=m("mf203b1"),O=m("m20624b"),L=m("m0b5f83"),p=m("mef5322"),k=m("me07f80"),a=m("m962097"),P=m("m4c721d"),E=m("m9d6e92"),i=m("m7358cf"),F=m("m3104e1"),M=m("m382078");function l(t){return[...dangerBanner(t.protection).map(e=>line(e,"bad")),v(t),...doubts(t),...storySummary(t),...Z(t),line(`Changed: ${tt(t)}`),...nt(t),line(`Took: ${f(t)}${d(t)}`,"dim"),line(`Next: ${nextStep(t)}`,"strong")]}function v(t){const{state:e,alive:o}=t,s=(0,i.z6)(e),{result:r,sentence:c}=(0,P.oX)(e,"no tests");if(s===void 0)return(0,a.n8)(`– ${(0,a.TN)(e.loop_id)}: ${(0,i.O4)(t)}. ${(0,i.XZ)(t)}${o?"":` ${c}`}`,o?"strong":"warn");const{outcome:u,reason:h}=s,_=(0,E.k)(h,t.word),T=u.exitCode===0,x=_===""||R(h.kind)?[]:[/[.!?"]$/u.test(_)?_:`${_}.`],B=[u.sentence,...x,c],j=`${T&&r!=="unchecked"?"✓":T||N.test(u.status)?"–":"✗"} ${(0,a.TN)(e.loop_id)}: ${(0,i.O4)(t)} (${h.kind}). ${B.join(" ")}`;return(0,a.n8)(j,T?r==="unchecked"?"warn":"good":"warn")}const N=/^(?:paused_|waiting$|canceled$)/u;function R(t){return t==="success_command"||t==="already_green"}const I=5;function Z({state:t}){const{failing:e}=proofOf(t);if(e===null)return[];const o=t.baseline?.failing_count,s=o===void 0?"":` (${o} at the start)`,{failing:r}=t;if(r===null||r.failing_count===0){const T=oneLine(whyRed(e));return[line(`Failing: ${oneLine(checkLabel(e))}${T===""?"":`: ${T}`}`,"bad")]}const c=r.failing.slice(0,I).map(T=>cut(oneLine(T),100)),u=r.failing_count-c.length,h=u>0?` and ${u} more`:"",_=c.length===0?failedTests(e):`${c.join(", ")}${h}`;return[line(`Failing: ${counted(r.failing_count,"test")}${s}: ${_}`,"bad")]}function tt({change:t,branch:e,state:o}){const r=(t?.stat??"").split(`
`).map(_=>oneLine(_.replace(/ \| .*$/u,""))).filter(_=>_!=="").slice(0,I),c=(t?.files??0)-r.length,u=c>0?` and ${c} more`:"",h=o.iterations.findLast(_=>_.commit!==null)?.commit;return[`${changeText(t)}${r.length===0?"":`: ${r.join(", ")}${u}`}`,...e===null?[]:[`on ${oneLine(e)}`],...h==null?[]:[`last commit ${h.slice(0,12)}`]].join(", ")}const Q=/<promise>|^[A-Z_]{3,}:|^-{3,}/u;function nt({state:t}){const e=(t.last_turn?.summary??"").replace(/^NOTES:[^]*/mu,""),s=lastLines(e,Number.MAX_SAFE_INTEGER).map(oneLine).findLast(r=>r!==""&&!Q.test(r));return s===void 0?[]:[line(`Agent: "${cut(plainText(s),160)}"`)]}function d({state:t}){const e=t.status==="completed"||t.status==="canceled"?void 0:forecastText(t);return e===void 0?"":`; ${e} at this pace`}function f({state:t}){const{iteration:e,max_iterations:o,spent:s}=t,r=duration(s.turn_ms+s.check_ms),c=costOrNone(t),u=[r,counted(s.tokens,"token"),...c===void 0?[]:[c]].join(", ");return`${grouped(e)} of ${counted(o,"iteration")}, ${u}`}const $=60,w=new Map([["completed","good"],["running","strong"],["canceled","dim"]]);function y(t){return t.toSorted((e,o)=>Date.parse(o.state.updated_at)-Date.parse(e.state.updated_at))}function S(t,e){const o=t.map(r=>({texts:A(r,e),status:r.status})),s=r=>Math.max(...o.map(({texts:c})=>String(c[r]).length));return o.map(({texts:r,status:c})=>{const u=r.map((h,_)=>h.padEnd(s(_))).join("  ");return line(u.trimEnd(),w.get(c)??"plain")})}function A({state:t,status:e,where:o},s){const r=duration(Math.max(0,s-Date.parse(t.updated_at))),c=t.stories===null?firstLine(t.prompt.trim()):`PRD ${t.stories.prd}`,u=oneLine(c),h=oneLine(t.loop_id);return[o===""?h:`${h} (in ${oneLine(o)})`,e,`${t.iteration} of ${t.max_iterations}`,`${r} ago`,u.length>$?`${u.slice(0,$)}…`:u]}var W=m("mc2cfc0"),V=m("maf4b51"),Y=m("md3f2d5");class D{text;constructor(e){this.text=e}}function q(t){return(0,a.wh)(t).replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;").replaceAll('"',"&quot;").replaceAll("'","&#39;")}function ot(t){return t==null||t===!1?"":t instanceof D?t.text:typeof t=="string"?q(t):typeof t=="number"?String(t):t.map(ot).join("")}function n(t,...e){return new D(t.map((o,s)=>o+ot(e[s])).join(""))}function g(t){const e=t.split(/`([^`]+)`/u);return n`${e.map((o,s)=>s%2===0?o:n`<code>${o}</code>`)}`}function b(t,e="",o){return[`i${t}`,...e===""?[]:[e],...o===void 0?[]:[o]].join("-")}const G={good:["✓","passed"],bad:["✗","failed"],open:["–","not proved"]};function J(t){const[e,o]=G[t];return n`<span class="mark ${t}" aria-hidden="true">${e}</span><span class="hidden">${o}:</span> `}function C(t,e,o,s="fold"){return n`<details class="${s}">
    <summary>${e}</summary>
    <div id="${t}" class="folded">${o}</div>
  </details>`}function U(t,e){return n`<pre tabindex="0" role="region" aria-label="${e}">${t}</pre>`}function et(t,e,o){return n`<div class="copyable">
    ${new D(`<pre id="${t}" tabindex="0" role="region" aria-label="${q(o)}">${q(e)}</pre>`)}<button
      type="button"
      data-copy="${t}"
      hidden
    >
      Copy<span class="hidden"> ${o}</span>
    </button>
  </div>`}const st="http://www.w3.org/2000/svg",at=new Set(["aria-label","aria-description","style"]);class ut{#t;constructor(e){this.#t=e}get text(){return q(this.#t)}}class ct{namespaceURI=st;localName;ownerDocument;childNodes=[];#t=new Map;constructor(e,o){this.localName=e,this.ownerDocument=o}setAttribute(e,o){this.#t.set(e,String(o))}removeAttribute(e){this.#t.delete(e)}appendChild(e){return this.childNodes.push(e),e}insertBefore(e){return this.appendChild(e)}set textContent(e){this.childNodes.splice(0,1/0,new ut(String(e)))}get text(){if(this.localName==="style")return"";const o=[...this.#t].filter(([s])=>!at.has(s)).map(([s,r])=>` ${s}="${q(r)}"`).join("");return`<${this.localName}${o}>${this.childNodes.map(({text:s})=>s).join("")}</${this.localName}>`}}class mt{documentElement=new ct("html",this);createElementNS(e,o){return new ct(o,this)}}function ft(t,e){const o=[t(new mt)].filter(s=>s instanceof ct);for(const s of o)for(const[r,c]of Object.entries(e))s.setAttribute(r,c);return new D(o.map(({text:s})=>s).join(""))}const gt=150,ht=6e4;function Bt(t){const e=t.checks.reduce((o,{durationMs:s})=>o+s,0);return{iteration:t.iteration,failing:t.failing,tokens:t.usage===null?null:(0,Y.RP)(t.usage),cost:t.cost,time:(t.turn_ms+e)/ht,added:t.change?.added??null,removed:t.change?.removed??null}}function Wt(t){const e=Math.ceil(t.length/gt);return t.flatMap((o,s)=>{if(s%e!==0)return[];const r=t.slice(s,s+e),c=u=>bt(r.map(u));return{from:o.iteration,to:r.reduce((u,{iteration:h})=>h,o.iteration),failing:r.reduce((u,{failing:h})=>h??u,null),tokens:c(({tokens:u})=>u),cost:c(({cost:u})=>u),time:r.reduce((u,{time:h})=>u+h,0),added:c(({added:u})=>u),removed:c(({removed:u})=>u)}})}function bt(t){return t.reduce((e,o)=>o===null?e:o+(e??0),null)}const Ut="–",dt=(t,e)=>t===null?Ut:e(t),Tt=t=>(0,p.p0)(Math.round(t*ht)),zt=[{id:"chart-failing",name:"Failing tests after each iteration",unit:"failing tests",shape:"line",sentence:t=>{const e=t.flatMap(({failing:o})=>o===null?[]:[o]);return`From ${e[0]} after the first count to ${e.at(-1)} after the last; at most ${Math.max(...e)}.`},columns:[["Failing tests",({failing:t})=>dt(t,p.zD)]],values:[({failing:t})=>t]},{id:"chart-time",name:"Time of each iteration",unit:"minutes",shape:"bars",sentence:t=>`${wt(t,({time:e})=>e,Tt)}, turn and checks together.`,columns:[["Time",({time:t})=>Tt(t)]],values:[({time:t})=>t]},{id:"chart-tokens",name:"Tokens and cost of each iteration",unit:"tokens",shape:"bars",sentence:t=>`${wt(t,({tokens:e})=>e,e=>(0,p.hS)(e,"token"))}.`,columns:[["Tokens",({tokens:t})=>dt(t,p.zD)],["Cost",({cost:t})=>dt(t,p.dR)]],values:[({tokens:t})=>t]},{id:"chart-lines",name:"Lines changed in each iteration",unit:"lines added ↑ removed ↓",shape:"bars",sentence:t=>`${(0,p.zD)(yt(t,({added:e})=>e))} lines added and ${(0,p.zD)(yt(t,({removed:e})=>e))} removed over all iterations shown; what was removed is below the line.`,columns:[["Added",({added:t})=>dt(t,p.zD)],["Removed",({removed:t})=>dt(t,p.zD)]],values:[({added:t})=>t,({removed:t})=>t===null?null:-t]}];function yt(t,e){return Number(bt(t.map(e)))}function wt(t,e,o){const s=Math.max(...t.map(c=>Number(e(c))));return t.filter(c=>Number(e(c))===s).slice(0,1).map(c=>`Most in ${Kt(c)}: ${o(s)}`).join("")}function Kt({from:t,to:e}){return t===e?`iteration ${t}`:`iterations ${t} to ${e}`}function Ht(t){const e=Wt(t.map(Bt)),o=zt.filter(({values:s})=>e.some(r=>s.some(c=>Number(c(r))!==0)));return t.length<2||o.length===0?n`<p>There is too little to draw yet.</p>`:n`${o.map(s=>Ft(s,e,t.length))}`}function Ft(t,e,o){const{id:s,name:r,sentence:c,columns:u}=t,h=Math.ceil(o/gt),_=h>1?` Each ${t.shape==="line"?"point":"bar"} stands for ${h} iterations in a row.`:"";return n`<figure class="chart" aria-labelledby="${s}">
    <figcaption>
      <h3 id="${s}">${r}</h3>
      <p id="${s}-says">${c(e)}${_}</p>
    </figcaption>
    <div class="wide" tabindex="0" role="region" aria-label="${r}, drawn">${Qt(t,e)}</div>
    <details>
      <summary>Table<span class="hidden">: ${r}</span></summary>
      <div class="wide" tabindex="0" role="region" aria-label="${r}, as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">Iteration</th>
              ${u.map(([T])=>n`<th scope="col">${T}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${e.map(T=>n`<tr>
                  <th scope="row">${T.from===T.to?T.from:`${T.from} to ${T.to}`}</th>
                  ${u.map(([,x])=>n`<td>${x(T)}</td>`)}
                </tr>`)}
          </tbody>
        </table>
      </div>
    </details>
  </figure>`}const Gt=10;function Xt(t){const e=Math.ceil(t.length/Gt);return t.flatMap(({from:o},s)=>s%e===0?[o]:[])}const Jt={width:640,height:180,marginLeft:56,marginTop:24};function Qt({id:t,unit:e,values:o,shape:s},r){const c=({from:T,to:x})=>(T+x)/2,u=o.flatMap((T,x)=>{const B=r.filter(j=>T(j)!==null),z={className:x===0?"series":"series other"};return s==="line"?[(0,V.Mu)(B,{x:c,y:T,...z}),(0,V.Om)(B,{x:c,y:T,r:3,fill:"currentColor",...z})]:(0,V.aT)(B,{x1:({from:j})=>j-.5,x2:({to:j})=>j+.5,y:T,inset:.5,...z})}),h={label:"iteration",ticks:Xt(r),tickFormat:String},_={label:e,grid:!0,zero:!0};return ft(T=>(0,V.QI)({...Jt,document:T,x:h,y:_,marks:[(0,V.OJ)([0]),...u]}),{role:"img","aria-labelledby":`${t} ${t}-says`,class:"plot"})}var Vt=m("mf7f4e2"),Zt=m("md2c297"),Et=m("mc59343"),Yt=m("me34b18"),qt=m("m521ef3"),te=m("m5002c5"),ee=m("m208c25"),Ot=m("mf174de");async function*ne(t){let e,o;for await(const s of t){const r=e?.phase==="settled"&&se(s)?e.last_turn:null;if(e!==void 0&&r!==null){const h=re(r,e.plan,o);yield{iteration:e.iteration,lines:[(0,a.n8)(`  decided: go on, because ${h}`,"strong")]}}e=(0,ee.k)(e,s),s.type==="turn_started"&&(o=void 0),s.type==="proved"&&(o=s);const u=[...(0,k.Cl)(s,e),...ae(s,e)].map(({text:h,tone:_})=>(0,a.n8)(`  ${h}`,_));yield{iteration:e.iteration,lines:[...oe(s),...u]}}}function oe(t){return t.type==="turn_started"?[(0,a.n8)(""),(0,a.n8)(`Iteration ${t.iteration}, ${t.at}`,"strong")]:[]}function se({type:t}){return t==="turn_started"||t==="wait_started"}function re(t,e,o){const{failure:s,claim:r}=t;if(s!==null)return`its turn failed (${s.kind}), and no rule ends it for that yet`;const c=(o?.verdict.checks??[]).filter(ie).map(u=>(0,a.TN)((0,L.v8)(u)));return c.length>0?`${c.join(", ")} ${c.length===1?"is":"are"} red`:(0,qt.vF)(r,e)?(0,te.pZ)(o?.weaknesses??[]).length>0?"the proof is weak":"its claim does not count, and no other rule ends it":"the agent does not claim to be done, and no other rule ends it"}function ie({exitCode:t,timedOut:e}){return t!==0||e}function ae(t,e){return t.type==="loop_stopped"?[de(t.reason),...ce(t.reason)]:t.type!=="settled"?[]:[(0,a.n8)(`progress: ${(0,Ot.l_)(e)}`,"dim"),(0,a.n8)(`circuit: ${(0,Ot.l9)(e)}`,"dim")]}function ce(t){const e=(0,E.k)(t,o=>o);return e===""?[]:[(0,a.n8)(`evidence: ${e}`)]}function de({kind:t}){return(0,a.n8)(`decided: stop, by the rule ${t} (${le[t]})`,"strong")}const le={promise:"POST 7",done_token:"POST 7",dual_gate:"POST 7",exit_signal:"POST 7",plan_complete:"POST 7, PRE 6",success_command:"POST 5",already_green:"PRE 6",stories_passed:"POST 6",story_review:"POST 9",story_blocked:"POST 6",stories_blocked:"POST 6",hard_stop:"POST 9, POST 4b, PRE 5",paused:"PRE 3",stopped:"PRE 3, POST 1",canceled:"PRE 2, POST 1",superseded:"PRE 1, POST 1",time_budget:"PRE 10, POST 13",max_iterations:"PRE 8, POST 12",tokens:"PRE 9, POST 13",total_time:"PRE 9, POST 13",agent_blocked:"POST 10",permission_denied:"POST 8",question:"section 4.5",unfinished:"POST 7b",proof_accepted:"PRE 5a",weak_proof:"POST 7a",reviewer_vetoes:"POST 7c",protected_paths:"POST 4a",too_large:"POST 4a",flaky:"PRE 6, POST 4d",not_reproduced:"PRE 6, POST 4c",head_moved:"POST 1a",no_progress:"POST 11, PRE 7",same_error:"POST 11, PRE 7",test_loops:"POST 11, PRE 7",missing_status:"POST 11, PRE 7",rate_limit:"POST 3, PRE 11",usage_limit:"POST 3, PRE 11",calls_per_hour:"PRE 11",tokens_per_day:"PRE 11",auth:"POST 2",config:"POST 2",sandbox_broken:"POST 2",provider:"POST 4",gate_unrunnable:"section 4.5",commit_refused:"section 4.5",carriers_unreachable:"PRE 1"};var ue=m("m2646c1");const me=1e7,fe=200,he={checks:[],cost:null,failing:null};async function pe(t,e=me){const o=new Map,s=ge(o,e),r=[];let c=[],u=null,h;const _=x=>{h=x,x.type==="turn_started"&&(c=[]);const{open:B,closed:z}=(0,ue.X)(u,x);u=B;for(const K of[z,B]){if(K===null)continue;const lt=o.get(K.iteration),rt=lt===void 0||x.type==="turn_started"&&K===B;o.set(K.iteration,rt?{...he,told:lt?.told??[],meta:K}:{...lt,meta:K})}const j=o.get((B??z)?.iteration??0);j!==void 0&&(x.type==="turn_ended"&&(j.cost=x.cost??null),x.type==="proved"&&(j.checks=x.verdict.checks,j.failing=x.failing?.failing_count??(x.verdict.result==="passed"?0:null),s(j)))};for await(const{iteration:x,lines:B}of ne($e(t,_))){const z=B.map(rt=>({...rt,text:rt.text.trim()})).filter(({text:rt})=>rt!=="");h?.type==="loop_stopped"&&(c=z);const j=h?.type==="turn_ended"?h.iteration:x,K=o.get(j)?.told??r,lt=z.filter(({text:rt})=>!/^Iteration \d+, /u.test(rt));K.push(...lt.slice(0,Math.max(0,fe-K.length)))}return{iterations:[...o.values()].map(({meta:x,...B})=>({...x,...B})),before:r,ending:c}}async function*$e(t,e){for await(const o of t)e(o),yield o}function ge(t,e){let o=0;return s=>{o+=kt(s);for(const r of t.values()){if(o<=e||r===s)return;o-=kt(r),r.checks=r.checks.map(c=>({...c,tail:""}))}}}function kt({checks:t}){return t.reduce((e,{tail:o})=>e+o.length,0)}function _e({exitCode:t,timedOut:e}){return t===0&&!e}function be(t){const e=t.timedOut?"timed out":t.exitCode===null?"did not end":`exit ${t.exitCode}`,o=t.tests===null||t.tests.failed===0?[]:[`${(0,p.hS)(t.tests.failed,"test")} failed`];return`${(0,a.TN)((0,L.v8)(t))}: ${[e,(0,p.p0)(t.durationMs),...o].join(", ")}`}function vt(t){const{agent:e,change:o,failing:s,checks:r,verdict:c,usage:u,cost:h}=t,_=t.turn_ms+r.reduce((T,{durationMs:x})=>T+x,0);return[...e===null?["its turn has not ended"]:e==="ok"?[]:[`turn: ${e.replaceAll("_"," ")}`],Te[c],...s===null||s===0?[]:[`${(0,p.hS)(s,"test")} failing`],...o===null?[]:[`${(0,p.hS)(o.files,"file")} +${o.added} −${o.removed}`],..._===0?[]:[(0,p.p0)(_)],...u===null?[]:[(0,p.hS)((0,Y.RP)(u),"token")],...h===null?[]:[(0,p.dR)(h)]].join(" · ")}const Te={passed:"checks passed",failed:"checks failed",cut_off:"checks cut off",unrunnable:"a check could not run",none:"not checked"};function xt({verdict:t,agent:e}){return t==="passed"?"good":t==="none"&&(e==="ok"||e===null||e==="abandoned")?"open":"bad"}function ye(t,{ending:e},o){return n`${we(t)}${Oe(t)}
    <section aria-labelledby="next">
      <h2 id="next">What you have to do</h2>
      ${ke(t)}
    </section>
    <section aria-labelledby="rule">
      <h2 id="rule">What stopped it</h2>
      ${Pe(t,e)}
    </section>
    <section aria-labelledby="tests">
      <h2 id="tests">Failing tests</h2>
      ${Ne(t)}
    </section>
    <section aria-labelledby="files">
      <h2 id="files">Files changed</h2>
      ${Me(t)}
    </section>
    <section aria-labelledby="took">
      <h2 id="took">Time, tokens, cost</h2>
      ${Le(t)}
    </section>
    <section aria-labelledby="strip">
      <h2 id="strip">Iterations at a glance</h2>
      ${Re(o)}
    </section>`}function we({protection:t}){const e=(0,Yt.o)(t);return n`${e.length>0&&n`<aside class="danger" aria-label="Warning">
      <p>Warning: run this only where nothing is of value.</p>
      ${pt(e)}
    </aside>`}`}function pt(t){return n`<ul>
    ${t.map(e=>n`<li>${e}</li>`)}
  </ul>`}const Ee={good:"good",bad:"bad",warn:"warn"};function Oe(t){const{state:e}=t,{text:o,tone:s}=v(t),r=(0,P.Yw)(e),c=e.iterations.findLast(_=>_.commit!==null)?.commit??null,u=[["Command",r===null||r.checks.length===0?"none":r.checks.map((_,T)=>n`${T>0&&", "}<code>${(0,a.TN)((0,L.v8)(_))}</code>`)],["Commit",c===null?"none":n`<code>${c.slice(0,12)}</code>`],["Iteration",`${(0,p.zD)(e.iteration)} of ${(0,p.zD)(e.max_iterations)}`],...t.branch===null?[]:[["Branch",n`<code>${(0,a.TN)(t.branch)}</code>`]]],h=(0,M.OD)(t);return n`<section aria-labelledby="verdict" class="verdict ${s in Ee?s:"plain"}">
    <h1 id="verdict">${g(o)}</h1>
    <dl class="facts">
      ${u.map(([_,T])=>n`<div>
            <dt>${_}</dt>
            <dd>${T}</dd>
          </div>`)}
    </dl>
    ${h.length>0&&pt(h.map(_=>g(_.text)))}
  </section>`}function ke(t){const e=(0,i.sk)(t),o=xe(t,e),s=(0,i.z6)(t.state)?.outcome.resumableBy==="nobody";return n`<p>${s&&n`<strong>Nothing</strong> to start or to answer. `}${g(e)}</p>
    ${o!==void 0&&et("resume",o,"the command")}`}const ve=/^(?:(?:waylon-)?smithers|daedalus) /u;function xe({resume:t},e){return ve.test(t)&&e.includes(t)?t:/\/smithers prd [\w.-]+ (?:retry|accept) US-[\d-]+/u.exec(e)?.[0]}function Pe(t,e){if((0,i.z6)(t.state)===void 0)return n`<p>
      ${t.alive?"Nothing: it is running.":"No rule: its run was killed, or an error ended it."}
    </p>`;const o=e.length===0?[(0,i.O4)(t)]:e.map(({text:s})=>s);return pt(o.map(g))}const $t=10;function Ne({state:t}){const{baseline:e,failing:o}=t,{failing:s}=(0,P.oX)(t),r=o??(s===null?{failing:[],failing_count:0}:null);return n`<div class="pair">
    <div>
      <h3>At the start</h3>
      ${Pt(e)}
    </div>
    <div>
      <h3>Now</h3>
      ${Pt(r)}
    </div>
  </div>`}function Pt(t){if(t===null)return n`<p>Not known.</p>`;const{failing:e,failing_count:o}=t;if(o===0)return n`<p>None.</p>`;const s=e.map(c=>n`<li><code>${(0,a.Jj)((0,a.TN)(c),300)}</code></li>`),r=o-e.length;return n`<p>${(0,p.hS)(o,"test")}</p>
    <ul>
      ${s.slice(0,$t)}
    </ul>
    ${s.length>$t&&n`<details>
        <summary>${s.length-$t} more</summary>
        <ul>
          ${s.slice($t)}
        </ul>
      </details>`}${r>0&&n`<p>${(0,p.hS)(r,"more test")} without a name here.</p>`}`}const Se=/^(?<path>.*) \| (?<counts>.*)$/u;function De({stat:t}){return t.split(`
`).flatMap(o=>{const{path:s,counts:r}=Se.exec(o)?.groups??{};return s===void 0||r===void 0?[]:[{path:s,counts:r.replace("-","−"),kind:(0,Vt.t7)(s)?"CI":(0,Zt.MQ)(s)?"test":""}]}).toSorted((o,s)=>+(o.kind==="")-+(s.kind===""))}function Me({change:t}){if(t===null)return n`<p>Not known: nothing is measured here, or the loop's files were cleaned away.</p>`;if(t.files===0)return n`<p>None.</p>`;const e=De(t),o=t.files-e.length,s=e.some(({kind:r})=>r!=="");return n`<p>
      ${(0,p.hS)(t.files,"file")}, <span class="plus">+${(0,p.zD)(t.added)}</span>
      <span class="minus">−${(0,p.zD)(t.removed)}</span>
    </p>
    <div class="wide" tabindex="0" role="region" aria-label="Changed files">
      <table>
        <thead>
          <tr>
            <th scope="col">File</th>
            ${s&&n`<th scope="col">Kind</th>`}
            <th scope="col">Lines</th>
          </tr>
        </thead>
        <tbody>
          ${e.map(({path:r,kind:c,counts:u})=>n`<tr>
                <td><code>${(0,a.TN)(r)}</code></td>
                ${s&&n`<td>${c}</td>`}
                <td>${(0,a.TN)(u)}</td>
              </tr>`)}
        </tbody>
      </table>
    </div>
    ${o>0&&n`<p>${(0,p.hS)(o,"more file")}.</p>`}`}function Le(t){const{state:e}=t,{spent:o}=e,s=e.status==="completed"||e.status==="canceled"?void 0:(0,Et.xn)(e),r=[["Time",(0,p.p0)(o.turn_ms+o.check_ms)],["Tokens",(0,p.zD)(o.tokens)],["Cost",(0,Et.vQ)(e)??"–"],...s===void 0?[]:[["Still needed",`${s} at this pace`]]];return n`<dl class="facts">
      ${r.map(([c,u])=>n`<div>
            <dt>${c}</dt>
            <dd>${u}</dd>
          </div>`)}
    </dl>
    <details>
      <summary>In detail</summary>
      ${pt((0,M.Sd)(t).map(g))}
    </details>`}function Re(t){return t.length===0?n`<p>No iteration has begun.</p>`:n`<ol class="strip">
      ${t.map(e=>n`<li>
            <a href="#${b(e.iteration)}" title="${vt(e)}"
              >${J(xt(e))}<span class="hidden">iteration </span>${e.iteration}</a
            >
          </li>`)}
    </ol>
    <p class="legend">✓ checks passed · ✗ failed · – not checked</p>`}function Nt(t,e){const{iteration:o,item:s}=t;return n`<details class="iteration searched">
    <summary>
      ${J(xt(t))}<strong>Iteration ${o}</strong> · ${(0,a.Jj)((0,a.TN)(s),120)} ·
      ${vt(t)}
    </summary>
    <div id="${b(o)}" class="folded">${e}</div>
  </details>`}function Ie(t,e,o){const{iteration:s,commit:r,checks:c,told:u,started_at:h}=t,{prompt:_,changes:T,message:x}=e,B=_===null&&T===null&&e.checks===null,z=b(s);return n`<p class="dim">
      Began ${h}${r!==null&&n`, commit <code>${r.slice(0,12)}</code>`} ·
      <a href="#${z}">#${z}</a>
    </p>
    <ul>
      ${u.map(({text:j})=>n`<li>${(0,a.Jj)(j,je)}</li>`)}
    </ul>
    ${c.map((j,K)=>Ae(s,j,K+1))}
    ${o&&B&&Ce} ${_t(s,"output","All that the checks said",e.checks)}
    ${o&&[We(s,T),_t(s,"prompt","Prompt",_),_t(s,"message","Last message of the agent",x)]}`}const Ce=n`<p class="note">
  Its prompt, its diff and all that its checks said are not kept: only those of the last 50 iterations are.
</p>`,je=1e3;function Ae(t,e,o){const s=(0,a.TN)((0,O.T9)(e)),r=`end of the output of check ${o} of iteration ${t}`,c=e.tail.trim()===""?n`<p>No output is kept here.</p>`:U(e.tail,r);return C(b(t,"check",o),n`${J(_e(e)?"good":"bad")}${be(e)}`,n`${s!==""&&n`<p>${s}</p>`}${c}`)}function _t(t,e,o,s){if(s===null||s.text==="")return null;const r=`${o}, iteration ${t}`;return C(b(t,e),o,n`${St(s)}${U(s.text,r)}`)}function St({leftOut:t,part:e}){return t===0?null:n`<p class="note">
        Only its ${e} is shown: ${(0,p.zD)(t)} bytes are left out here, and in the loop's folder.
      </p>`}const Be=[[/^(?:diff |index |--- |\+\+\+ |\[cut: )/u,"head"],[/^@@/u,"at"],[/^\+/u,"add"],[/^-/u,"cut"]];function We(t,e){if(e===null||e.text==="")return null;const o=e.text.split(`
`).map(r=>{const c=Be.find(([u])=>u.test(r))?.[1];return[c===void 0?r:n`<span class="${c}">${r}</span>`,`
`]}),s=n`<pre class="diff" tabindex="0" role="region" aria-label="Changes, iteration ${t}">${o}</pre>`;return C(b(t,"changes"),"Changes",n`${St(e)}${s}`)}const Dt=String.raw`"use strict";
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const reveal = (hash) => {
    let at = document.getElementById(hash.slice(1));
    if (at === null) return;
    const target = at;
    for (; at !== null; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
      at.hidden = false;
    }
    target.scrollIntoView();
  };
  const follow = () => reveal(location.hash);
  addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link !== null) reveal(link.hash);
  });
  follow();

  const copy = async (text, source) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      getSelection().selectAllChildren(source);
      return document.execCommand("copy");
    }
  };
  for (const button of all("button[data-copy]")) {
    button.hidden = false;
    const words = [...button.childNodes];
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      const done = await copy(source.textContent, source);
      button.textContent = done ? "Copied" : "Selected: copy it by keyboard";
      setTimeout(() => { button.replaceChildren(...words); }, 2000);
    });
  }

  const form = document.getElementById("search");
  const field = document.getElementById("search-for");
  const found = document.getElementById("search-found");
  const rows = all(".searched");
  const texts = new Map();
  const textOf = (row) => {
    if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
    return texts.get(row);
  };
  let waiting;
  const search = () => {
    const words = field.value.trim().toLowerCase();
    let count = 0;
    for (const row of rows) {
      const hit = words === "" || textOf(row).includes(words);
      row.hidden = !hit;
      if (hit) count += 1;
    }
    found.textContent = words === "" ? "" : count + " of " + rows.length + (rows.length === 1 ? " entry" : " entries");
  };
  form.hidden = false;
  field.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 120); });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    search();
    const first = rows.find((row) => !row.hidden);
    if (field.value.trim() === "" || first === undefined) return;
    if (first.tagName === "DETAILS") first.open = true;
    first.scrollIntoView();
  });
})();
`,Mt=`
:root { color-scheme: light dark; --ground: #fff; --panel: #f4f5f7; --text: #1b1f24; --dim: #57606a; --line: #8c959f;
  --good: #116329; --bad: #a40e26; --warn: #7a4b00; --link: #0550ae; --mark-ground: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0d1117; --panel: #161b22; --text: #e6edf3; --dim: #9da7b3; --line: #6e7681;
    --good: #56d364; --bad: #ff8a80; --warn: #e3b341; --link: #79c0ff; }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.25rem; line-height: 1.4; margin: 0 0 .5rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p, ul, ol { margin: .5rem 0; }
a { color: var(--link); }
code, pre { font-family: ui-monospace, monospace; font-size: .875rem; } h1 code { font-size: .9em; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: .375rem; margin: .5rem 0; padding: .75rem;
  max-height: 30rem; overflow: auto; white-space: pre-wrap; }
.verdict { background: var(--panel); border-left: .375rem solid var(--line); padding: 1rem; }
.verdict.good { border-color: var(--good); }
.verdict.warn { border-color: var(--warn); }
.verdict.bad { border-color: var(--bad); }
.danger { border: .25rem double var(--bad); padding: 0 1rem; margin-bottom: 1rem; }
.facts { display: grid; gap: .25rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); margin: .5rem 0; }
.facts dt, .legend, .dim, .note { color: var(--dim); } .facts dd { margin: 0; }
.pair { display: grid; gap: 0 1.5rem; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); }
.copyable { position: relative; } .copyable pre { padding-bottom: 3.25rem; }
button { font: inherit; min-height: 2rem; padding: .25rem .75rem; color: var(--text); background: var(--ground);
  border: 1px solid var(--line); border-radius: .375rem; }
.copyable button { position: absolute; right: .5rem; bottom: .5rem; }
input { font: inherit; width: 100%; min-height: 2.5rem; padding: .25rem .5rem; color: var(--text); background: var(--ground);
  border: 1px solid var(--line); border-radius: .375rem; }
:focus-visible { outline: .1875rem solid var(--link); outline-offset: .125rem; }
.wide { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; } th, td { border-bottom: 1px solid var(--line); padding: .25rem .75rem .25rem 0;
  text-align: left; vertical-align: top; } td code { white-space: pre-wrap; }
.strip { display: flex; flex-wrap: wrap; gap: .25rem; list-style: none; padding: 0; }
.strip a { display: inline-block; min-width: 2.5rem; padding: .25rem; text-align: center; text-decoration: none;
  border: 1px solid var(--line); border-radius: .25rem; background: var(--panel); color: var(--text); }
.mark { font-weight: bold; } .mark.good, .plus { color: var(--good); } .mark.bad, .minus { color: var(--bad); }
.mark.open { color: var(--dim); } .strip .mark { margin-right: .25rem; }
details { margin: .25rem 0; } summary { cursor: pointer; min-height: 1.75rem; padding: .125rem 0; }
.iteration { border: 1px solid var(--line); border-radius: .375rem; padding: .25rem .75rem; content-visibility: auto;
  contain-intrinsic-size: auto 2.5rem; }
.iteration[open] { contain-intrinsic-size: auto 20rem; }
.fold { margin-left: .5rem; } .folded { scroll-margin-top: 4rem; }
.folded:target { outline: .125rem solid var(--link); outline-offset: .25rem; }
.diff .add { color: var(--good); }
.diff .cut { color: var(--bad); }
.diff .head { font-weight: bold; }
.diff .at { color: var(--dim); }
.chart { margin: 1.5rem 0; } .chart .wide { margin: .5rem 0; }
.plot { display: block; height: auto; width: 100%; min-width: 30rem; color: var(--text); background: var(--ground); }
.plot text { white-space: pre; fill: var(--text); }
.plot .series { fill: var(--link); } .plot .series path { fill: none; stroke: var(--link); stroke-width: 2; }
.plot .series.other { fill: var(--dim); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:not(:focus) { position: absolute; left: -100rem; }
footer { margin-top: 3rem; color: var(--dim); border-top: 1px solid var(--line); }
@media (forced-colors: active) { .strip a, .iteration, pre { border-color: CanvasText; } .plot .series { fill: LinkText; } }
@media print { .copyable button, #search { display: none; } pre { max-height: none; } }
`,Ue=1e7,Lt=2e3,ze=500;async function Ke(t,e=Ue){const{view:o,withTexts:s}=t,r=await pe(t.events),c=r.iterations.slice(-Lt),h={top:ye(o,r,c),charts:Ht(c),agent:Fe(t,r),stories:Ge(o)},_=c.map(K=>Nt(K,Rt)),T=It(At(o,h,[Ct(r),..._],s)),x=await He(t,c,e-T),B=c.map(K=>Nt(K,x.get(K.iteration)??Rt)),z=r.iterations.length-c.length,j=z>0&&n`<p>
      ${(0,p.hS)(z,"earlier iteration")} are not on this page: it shows the last ${(0,p.zD)(Lt)}.
    </p>`;return At(o,h,[n`${j}`,Ct(r),...B],s)}const Rt=n`<p class="note">
  What this iteration wrote is left out, because the page would be too long. It is in the loop's folder.
</p>`;async function He({textsOf:t,withTexts:e},o,s){const r=new Map;let c=s;for(const u of o.toReversed()){const h=Ie(u,await t(u.iteration),e);if(c-=It(h.text),c<0)break;r.set(u.iteration,h)}return r}function It(t){return Buffer.byteLength(t)}function Ct({before:t}){const e=t.slice(0,100);return e.length===0?n``:n`<details class="iteration searched">
    <summary>Before the first iteration</summary>
    <div id="i0" class="folded">
      <ul>
        ${e.map(({text:o})=>n`<li>${(0,a.Jj)(o,1e3)}</li>`)}
      </ul>
    </div>
  </details>`}function Fe({view:t,withTexts:e},o){const{state:s}=t,{failing:r}=(0,P.oX)(s),c=s.failing?.failing??[],u=[e?`Task:
${s.prompt.trim()}`:"",`State:
${v(t).text}`,c.length===0?"":`Failing tests:
${c.map(h=>`- ${(0,a.TN)(h)}`).join(`
`)}`,r===null?"":`Last output of ${(0,a.TN)((0,L.v8)(r))}:
${r.tail.trim()||(0,O.UN)(r)}`,`Decision:
${[...o.ending.map(({text:h})=>h),`next: ${(0,i.sk)(t)}`].join(`
`)}`];return et("for-an-agent",u.filter(h=>h!=="").join(`

`),"for an agent")}function Ge({state:t,prd:e}){const o=(0,W.u2)(t,e);if(o===null)return null;const s=(0,W.gR)(o),{rows:r,rest:c}=(0,W.NB)(o.stories,ze);return n`<p>${(0,W.Wl)(o)}.${s!==void 0&&` At work on ${s}.`}</p>
    <ul>
      ${r.map(u=>n`<li class="searched" id="${u.id}">
            <span aria-hidden="true">${W.t5[u.status]}</span> <strong>${u.id}</strong> ${(0,W._Q)(u)}:
            ${(0,W.sV)(u)}${u.commit!==null&&n`, <code>${u.commit.slice(0,12)}</code>`}
          </li>`)}
    </ul>
    ${c!==""&&n`<p>${c}.</p>`}`}function jt(t){return`'sha256-${(0,X.createHash)("sha256").update(t).digest("base64")}'`}function Xe(){return["default-src 'none'",`script-src ${jt(Dt)}`,`style-src ${jt(Mt)}`,"img-src data:","base-uri 'none'","form-action 'none'"].join("; ")}const Je=n`<p class="note">
  Prompts, messages of the agent and diffs are left out of this page, because its readers may not be those who may see
  them.
</p>`;function At(t,e,o,s){const{loop_id:r,generation:c,updated_at:u,iteration:h}=t.state,_=h===0?"None has begun.":"The events of this loop are gone, so they are not known.",T=o.every(({text:x})=>x==="")?n`<p>${_}</p>`:n`${o}`;return n`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        ${new D(`<meta http-equiv="Content-Security-Policy" content="${Xe()}">`)}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>Loop ${r}</title>
        ${new D(`<style>${Mt}</style>`)}
      </head>
      <body>
        <a class="skip" href="#iterations">To the iterations</a>
        <main>${e.top} ${s?null:Je} ${Qe(e,T)}</main>
        <footer>
          <p>
            Loop ${r}, generation ${c}, as of ${u}. Made by smithers; nothing on this page is loaded or sent.
          </p>
        </footer>
        ${new D(`<script>${Dt}<\/script>`)}
      </body>
    </html> `.text}function Qe({charts:t,agent:e,stories:o},s){const r=(u,h,_)=>n`<section aria-labelledby="${u}">
      <h2 id="${u}">${h}</h2>
      ${_}
    </section>`,c=n`<details>
    <summary>Task, failing tests, last output and decision, as one text</summary>
    ${e}
  </details>`;return n`${r("agent","Copy for an agent",c)} ${r("charts","Charts",t)}
    <form id="search" role="search" hidden>
      <label for="search-for">Search iterations${o!==null&&" and stories"}</label>
      <input id="search-for" type="search" autocomplete="off" />
      <p id="search-found" role="status" class="dim"></p>
    </form>
    ${r("iterations","Iterations",s)}
    ${o!==null&&r("stories","Stories",o)}`}}),me34b18:((it,H,m)=>{m.d(H,{o:()=>L});const X="sandbox danger-full-access: the agent may change or delete anything you can, and use the network.",O=/^--yolo$|^--dangerously-|danger-full-access/u;function L(k){const a=k.providerArgs.filter(P=>O.test(P));return[...k.sandbox==="danger-full-access"?[X]:[],...a.map(P=>`${P}: the agent's own approvals or sandbox are switched off.`)]}function p(k){const a=L(k);return a.length===0?[]:["!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!  WARNING  !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!",...a,"Run this only where nothing is of value: a container or a virtual machine.","!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!"]}}),me07f80:((it,H,m)=>{m.d(H,{Cl:()=>l,HX:()=>tt,Lq:()=>w,k0:()=>R,nx:()=>W,tY:()=>I,yt:()=>V});var X=m("md3f2d5"),O=m("m521ef3"),L=m("m0ec62e"),p=m("md61422"),k=m("m20624b"),a=m("m5002c5"),P=m("m0b5f83"),E=m("mef5322"),i=m("m962097"),F=m("m9d6e92"),M=m("m3104e1");function l(n,g){switch(n.type){case"loop_started":{const b=n.generation>1?`, generation ${n.generation}`:"",G=(0,E.hS)(n.max_iterations,"iteration");return[(0,i.n8)(`loop ${n.loop_id} started: ${G} at most${b}`,"strong"),...(0,M.VE)(n,g)]}case"loop_resumed":return[(0,i.n8)(`loop ${g.loop_id} resumed: ${(0,E.hS)(g.iteration,"iteration")} begun so far`,"strong"),...(0,M.VE)(n,g)];case"turn_abandoned":return[(0,i.n8)(`iteration ${n.iteration} was cut short when its run died; it counts`,"warn"),...nt(n)];case"turn_started":return[(0,i.n8)(N(n,g),"strong")];case"session_opened":return[(0,i.n8)(`${n.replaces===void 0?"":"fresh "}session ${(0,i.TN)(n.session_id)}`,"dim")];case"turn_ended":return Z(n,g);case"proved":return d(n,tt(n.verdict,g));case"reviewed":return[];case"wait_started":return[(0,i.n8)(w(n,g.not_before),"warn")];case"settled":return[...nt(n),...(0,M.QM)(n,g)];case"story_examined":return(0,M.LK)(n);case"story_given_up":return[(0,M.QN)(n.story)];case"story_shelved":return(0,M.cv)(n);case"story_ruled":return[(0,M.bw)(n)];case"loop_stopped":{const{reason:b}=n,{status:G,sentence:J,exitCode:C}=(0,L.sG)(b),U=b.kind==="head_moved"?[(0,i.n8)((0,F.l)(b),"warn")]:[];return[(0,i.n8)(`loop ${G} (${b.kind}): ${J}`,C===0?"good":"warn"),...U,...v(n)]}case"reset":return[(0,i.n8)(`${n.what} reset by ${(0,i.TN)(n.by)}`)];case"published":return n.pull_request===null?[]:[(0,i.n8)(`pull request ${n.pull_request.url}`,"strong")]}}function v({submodules:n=[]}){if(n.length===0)return[];const g=n.map(i.TN).join(", ");return[(0,i.n8)(`the commit moves a submodule to another commit (${g}): push that one first, from there`,"warn")]}function N(n,{stories:g}){const{iteration:b,session:G,item:J,provider:C}=n,U=g&&(0,p.zv)(g,J.id)?.attempts,et=U===null?"":`, ${J.id} ${(0,i.TN)(J.title)} (attempt ${U??1})`,st=C===void 0?"":`, by ${(0,i.TN)(C)}`;return`iteration ${b} started, ${G} session${et}${st}`}function R(n){return n===null?"changes not measured":n.files===0?"no file changed":`${(0,E.hS)(n.files,"file")} changed (+${n.added} -${n.removed})`}function I(n){const{exitCode:g,timedOut:b,durationMs:G}=n,[J,C]=Q(n)?["passed","good"]:["failed","bad"],et=[b?"timed out":g===null?"did not end":`exit ${g}`,(0,E.p0)(G),(0,P.yp)(n)].filter(at=>at!==void 0).join(", "),st=Q(n)?"":(0,i.TN)((0,k.T9)(n));return(0,i.n8)(`check ${J} (${et}): ${(0,i.TN)((0,P.v8)(n))}${st===""?"":`: ${st}`}`,C)}function Z(n,{artifacts:g}){const{change:b,usage:G,duration_ms:J,failure:C,claim:U,tally:et,undone:st=[]}=n,{hint:at,blocked:ut,person:ct}=U,mt=C===null?(0,O.QX)(U,et):null,ft=`${R(b)}, ${(0,E.zD)((0,X.RP)(G))} tokens, ${(0,E.p0)(J)}`;return[C===null?(0,i.n8)(`agent ended its turn: ${ft}`):(0,i.n8)(`agent failed (${C.kind}): ${(0,i.TN)(C.message)}; ${ft}`,"bad"),...C?.next===void 0?[]:[(0,i.n8)(`what helps: ${(0,i.TN)(C.next)}`,"warn")],...C===null&&(0,O.vF)(U,et)?[(0,i.n8)("agent claims to be done","good")]:[],...mt===null?[]:[(0,i.n8)(`claim names unfinished work: ${(0,i.TN)(mt)}`,"warn")],...at===null?[]:[(0,i.n8)(`claim does not count: ${(0,i.TN)(at)}`,"warn")],...ut===null?[]:[(0,i.n8)(`agent is blocked: ${(0,i.TN)(ut)}`,"warn")],...ct===void 0?[]:[(0,i.n8)(`agent needs a person: ${(0,i.TN)(ct)}`,"warn")],...st.map(ht=>(0,M.w$)(ht,g.dir))]}function tt(n,{phase:g,last_turn:b,plan:G}){if(!(g==="unsettled"&&b!==null&&b.failure===null&&(0,O.vF)(b.claim,G))||n.result!=="failed"||n.occasion!==void 0)return;const C=n.checks.filter(U=>!Q(U)).map(U=>(0,i.TN)((0,P.v8)(U)));return`claim refused: ${C.join(", ")} ${C.length===1?"is":"are"} red`}function Q(n){return n.exitCode===0&&!n.timedOut}function nt(n){return[...n.commit?[(0,i.n8)(`committed ${n.commit}`,"dim")]:[],...v(n)]}function d({verdict:n,weaknesses:g},b){return[...n.checks.map(I),...f(n),...b===void 0?[]:[(0,i.n8)(b,"bad")],...n.result==="cut_off"?[(0,i.n8)("checks cut off before they had ended","warn")]:[],...n.result==="unrunnable"?[(0,i.n8)(`check cannot run: ${(0,i.TN)(n.problem.what)}`,"bad")]:[],...(0,a.pZ)(g).map(G=>(0,i.n8)(`weak proof: ${(0,i.TN)(G)}`,"warn"))]}function f({occasion:n,result:g}){if(n===void 0)return[];const b="checks asked between claims, because the turn changed something";return g==="passed"?[(0,i.n8)(`${b}: green proves nothing by itself, and the agent is told to say if it is done`)]:g==="failed"?[(0,i.n8)(`${b}: the next turn is told what is red`)]:[(0,i.n8)(b)]}const $={interval:"the interval between iterations",rate_limit:"the provider limits the rate of requests",usage_limit:"the provider's usage limit is reached",calls_per_hour:"the calls of this hour are used up",tokens_per_day:"the tokens of this day are used up"};function w(n,g){const b=(0,i.TN)(g?.message??"").slice(0,200);return`waiting until ${n.until}: ${$[n.why]}${b===""?"":` (${b})`}`}const y=300,S=4e3,A=3;function W(n){switch(n.type){case"session.started":return"the agent is starting";case"message":return`the agent says: ${D(n.text)}`;case"reasoning":return`the agent thinks: ${D(n.text)}`;case"output":return`the agent prints: ${D(n.text)}`;case"command.started":return`the agent runs: ${D(n.command)}`;case"check.started":return`checking: ${D(n.command)}`;case"turn.retrying":return`${n.failure.kind}: ${Y(n)}`;case"command.ended":case"files.changed":case"permission.denied":case"tool.used":return"the agent is thinking";case"check.ended":case"notice":case"usage":case"turn.completed":case"turn.failed":return}}function V(n){switch(n.type){case"message":return(0,i.n8)(`agent says: ${D(n.text)}`,"dim");case"output":return(0,i.n8)(`agent prints: ${D(n.text)}`,"dim");case"command.ended":return(0,i.n8)(`agent ran (${q(n.exitCode)}): ${D(n.command)}`,"dim");case"files.changed":return(0,i.n8)(`agent changed ${ot(n.changes.map(g=>g.path))}`,"dim");case"tool.used":return(0,i.n8)(`agent used ${D(n.name)}${n.failed?", which failed":""}`,"dim");case"permission.denied":return(0,i.n8)(`agent was not allowed: ${D(n.what)}`,"warn");case"notice":return(0,i.n8)(`notice: ${D(n.text,S)}`,"dim");case"turn.retrying":{const g=`attempt ${n.attempt}, ${Y(n)}`;return(0,i.n8)(`agent failed (${n.failure.kind}), ${g}: ${D(n.failure.message)}`,"warn")}case"check.started":return(0,i.n8)(`check started: ${D(n.command)}`,"dim");case"session.started":case"reasoning":case"command.started":case"check.ended":case"usage":case"turn.completed":case"turn.failed":return}}function Y({delayMs:n}){return`trying again ${n===0?"at once":`in ${(0,E.p0)(n)}`}`}function D(n,g=y){const b=(0,i.TN)(n);return b.length>g?`${b.slice(0,g)}…`:b}function q(n){return n===null?"no exit code":`exit ${n}`}function ot(n){const g=n.slice(0,A).map(i.TN).join(", "),b=n.length-A;return`${(0,E.hS)(n.length,"file")}: ${g}${b>0?` and ${b} more`:""}`}}),m9d6e92:((it,H,m)=>{m.d(H,{k:()=>M,l:()=>P});var X=m("mc02145"),O=m("m5002c5"),L=m("m84a7d2"),p=m("mf5f11f"),k=m("mef5322"),a=m("m962097");function P({from:l,to:v}){const N=`It was ${E(l)}, and is ${E(v)}.`;if(l.branch!==void 0&&l.branch!==v.branch){const Q=l.branch===null?`--detach ${i(l.head)}`:(0,a.TN)(l.branch);return`${N} \`git switch ${Q}\` goes back.`}if(l.head===null)return`${N} \`git update-ref -d HEAD\` puts it back and keeps the files.`;const[I,Z]=[i(l.head),i(v.head)],tt=`If \`git log ${Z}..${I}\` names commits, they were undone, and the files that they brought are missing: \`git checkout ${I} -- FILE\` brings them back, else the story's commit deletes them.`;return`${N} \`git reset --soft ${I}\` puts it back and keeps the files; what came is still ${Z} then. Your own commit can stay: the loop builds on it. ${tt}`}function E({head:l,branch:v}){const N=l===null?"before the first commit":`at ${i(l)}`;return v===void 0?N:`${v===null?"on no branch":`on ${(0,a.TN)(v)}`}, ${N}`}function i(l){return String(l).slice(0,12)}function F({why:l,run:v,job:N,cause:R}){const I=l==="green_here"?"The checks here are green before anything was changed":"The checks are green although nothing was changed";return`Job ${(0,a.TN)(N)} of ${(0,a.TN)(v)} was red. ${I}. Cause, as far as it shows: ${L.hE[R]}.`}function M(l,v){switch(l.kind){case"promise":case"done_token":case"dual_gate":case"exit_signal":return l.verified?"":"No check is configured, so nobody but the agent says so.";case"plan_complete":return l.verified?"":"No check is configured, so nothing but the plan says so.";case"success_command":case"already_green":return`Command: ${(0,a.TN)(l.command)}`;case"stories_passed":return`${(0,k.zD)(l.passed)} of the PRD's ${(0,k.zD)(l.total)} stories have passed.`;case"story_review":return`${l.story} ${(0,a.TN)(l.title)}${l.commit===null?"":`: commit ${l.commit}`}`;case"story_blocked":return`${l.story}: ${(0,a.TN)(l.why)}`;case"stories_blocked":{const N=l.waiting===0?[]:[`${l.waiting} more wait for these.`];return[...l.stories.map(({id:R,why:I})=>`${R}: ${(0,a.TN)(I)}`),...N].join(" ")}case"hard_stop":return l.hits.map(({line:N,text:R,vanished:I})=>`${I===!0?"gone":`line ${N}`}: ${(0,a.TN)(R)}`).join("; ");case"paused":case"stopped":case"canceled":return`Asked for by: ${(0,a.TN)(l.by)}`;case"superseded":return`The other run: ${(0,a.TN)(l.by)}`;case"carriers_unreachable":return l.unanswered.map(({carrier:N,why:R})=>`${N}: ${(0,a.TN)(R)}`).join(" ");case"time_budget":return"";case"max_iterations":return(0,k.hS)(l.max,"iteration");case"tokens":return`${(0,k.zD)(l.spent)} of ${(0,k.zD)(l.max)} tokens`;case"total_time":return`${(0,k.p0)(l.spent)} of ${(0,k.p0)(l.max)}`;case"agent_blocked":return(0,a.TN)(l.why);case"permission_denied":return l.denied.map(({what:N,allow:R})=>`${(0,a.TN)(N)}: ${(0,a.TN)(v(R))}`).join(" ");case"question":return(0,a.TN)(l.question);case"unfinished":return`It says: "${(0,a.TN)(l.said)}"`;case"proof_accepted":return(0,a.em)(`By ${(0,a.TN)(l.by)}, ${l.at}. ${(0,a.TN)((0,O.pZ)(l.weaknesses).join("; "))}`);case"weak_proof":return(0,a.em)((0,a.TN)((0,O.pZ)(l.weaknesses).join("; ")));case"reviewer_vetoes":return(0,a.em)((0,a.TN)((0,p.EJ)(l.objections).join("; ")));case"protected_paths":case"too_large":return(0,a.em)((0,a.TN)((0,X.WW)(l)));case"flaky":return`${(0,a.TN)(l.command)} was red and green on the same files${l.tests.length===0?"":`: ${(0,a.TN)(l.tests.join(", "))}`}.`;case"not_reproduced":return F(l);case"head_moved":return P(l);case"no_progress":case"same_error":case"test_loops":case"missing_status":return(0,k.hS)(l.count,"iteration");case"rate_limit":case"usage_limit":return`Until ${l.until}: ${(0,a.TN)(l.message)}`;case"tokens_per_day":return`Until ${l.until}: ${(0,k.zD)(l.max)} tokens a day`;case"calls_per_hour":return`Until ${l.until}: ${(0,k.hS)(l.max,"call")} an hour`;case"auth":case"config":case"sandbox_broken":case"provider":{const{kind:N,message:R,next:I}=l.failure;return`${N}: ${(0,a.TN)(R)}${I===void 0?"":` ${(0,a.TN)(v(I))}`}`}case"gate_unrunnable":case"commit_refused":return`${(0,a.TN)(l.problem.what)} ${(0,a.TN)(v(l.problem.next))}`}}}),mba8df2:((it,H,m)=>{m.d(H,{Ge:()=>k,ON:()=>P,U7:()=>p});var X=m("mf5f11f"),O=m("mef5322"),L=m("m962097");function p({review:E}){const{answer:i,why:F,objections:M,iteration:l,vetoes:v}=E;switch(i){case null:return;case"clear":return`Another session reviewed the work of iteration ${l} and holds nothing against it.`;case"veto":return`Another session reviewed the work of iteration ${l} and vetoed it${v>1?` (veto ${v})`:""}: ${a((0,X.EJ)(M))}.`;case"unreadable":case"failed":return`The review of iteration ${l} gave no answer that counts, so nobody has vetoed the work: ${(0,L.TN)(F)}.`}}function k({review:E}){return E.answer!==null&&E.answer!=="clear"}function a(E){return E.map(i=>`"${(0,L.TN)(i)}"`).join("; ")}function P({review:{spent:E}}){const{reviews:i,tokens:F,input_tokens:M,cached_input_tokens:l,output_tokens:v,ms:N}=E;if(!(i===0&&F===0))return`Reviews: ${(0,O.hS)(i,"session")}, ${(0,O.p0)(N)}. Tokens, not among the others: ${(0,O.zD)(F)} (${(0,O.zD)(M)} in, of which ${(0,O.zD)(l)} cached; ${(0,O.zD)(v)} out).`}}),m3104e1:((it,H,m)=>{m.d(H,{LK:()=>E,QM:()=>a,QN:()=>P,VE:()=>v,bw:()=>l,cv:()=>F,w$:()=>M});var X=m("md61422"),O=m("mf62150"),L=m("mef5322"),p=m("m962097"),k=m("mc2cfc0");function a({story:d,commit:f},{stories:$}){if(d===void 0)return[];if(d.ends==="blocked")return[P(d)];const w=(0,p.TN)(($&&(0,X.zv)($,d.id)?.title)??""),y=(0,k.p6)(d),S=(0,k.aJ)(y)?`; ${(0,k.is)(y)}`:"",A=f===null?", without a commit because nothing had to be changed":"";return[(0,p.n8)(`${d.id} has passed${A}: ${w}${S}`,"good")]}function P({id:d,kind:f,why:$}){return(0,p.n8)(`${d} is blocked (${f}): ${(0,p.TN)($)}`,"warn")}function E({id:d,before:f,others:$}){const w=f.filter(({green:ot})=>!ot).length,y=w===0?"":", which its work has to turn green",S=(0,p.n8)(`${d} before it begins: ${w} of ${(0,L.hS)(f.length,"command")} red${y}`,"dim");if($===void 0)return[S];const A=`${$.red.length} of ${(0,L.hS)($.asked,"command")}`,W=$.red.slice(0,i).map(({story:ot,run:n})=>(0,p.TN)(`${ot}: ${n}`)),V=$.red.length-W.length,Y=`: ${W.join("; ")}${V>0?` and ${V} more`:""}`,D=$.red.length===0?"":`${Y}. This is not held against ${d}`,q=$.red.length===0?"dim":"warn";return[...f.length===0?[]:[S],(0,p.n8)(`${d} before it begins: ${A} of stories that have passed red${D}`,q)]}const i=5;function F({id:d,patch:f}){return f===null?[]:[(0,p.n8)(`${d}: its unfinished work is out of the work tree, in ${f} of the loop's folder`,"warn")]}function M(d,f){const $=`${(0,p.TN)(d.file)} was changed during a turn, by the agent or somebody else, and is put back: ${(0,O.G)(d,f)}`;return(0,p.n8)($,"warn")}function l({id:d,ruling:f,by:$,words:w}){const y=w===null?"":`: ${(0,p.TN)(w)}`;return(0,p.n8)(`${d} is ${f==="accept"?"accepted":"to be tried again"}, says ${(0,p.TN)($)}${y}`,"strong")}function v({stories:d},{stories:f}){if(d===void 0||f===null)return[];const $=f.records.filter(({state:y,gone:S})=>y==="passed"&&!S),w=(y,S,A="warn")=>S.length===0?[]:[(0,p.n8)(`${y}: ${R(S.map(({id:W})=>W))}`,A)];return[(0,p.n8)(`stories of ${d.prd}: ${(0,L.zD)(d.stories.length)}, of which ${(0,L.zD)($.length)} have passed`),...w("passed by the file alone, not proved here",$.filter(({passing:y})=>y?.how==="taken_over")),...w("changed since they passed, and wait for retry",$.filter(({changed:y})=>y)),...w("no longer in the PRD",f.records.filter(({gone:y})=>y),"dim")]}const N=20;function R(d){const f=d.length-N;return`${d.slice(0,N).join(", ")}${f>0?` and ${f} more`:""}`}function I({state:d,prd:f}){const $=storiesReport(d,f);if($===null)return[];const w=activeText($),{rows:y,rest:S}=shownStories($.stories);return[line(`PRD ${$.prd}: ${tallyText($)}.`,"strong"),...w===void 0?[]:[line(`Story at work: ${w}`)],...Z(y),...S===""?[]:[line(`  … ${S}`,"dim")],...$.undone.map(A=>M(A,d.artifacts.dir))]}function Z(d){return d.map(f=>line(tt(f),nt[f.status]))}function tt(d){const f=d.commit===null?"":`; commit ${d.commit.slice(0,7)}`;return`  ${Q(d)} ${d.id} ${shownTitle(d)}: ${standText(d)}${f}`}function Q({status:d}){return hasPassed({status:d})?"[x]":d==="blocked"?"[!]":d==="in_progress"?"[>]":"[ ]"}const nt={passed:"good",accepted:"good",taken_over:"plain",blocked:"warn",in_progress:"strong",waiting:"dim",pending:"plain"}}),m382078:((it,H,m)=>{m.d(H,{OD:()=>v,Sd:()=>Z,nM:()=>Q});var X=m("m0b5f83"),O=m("mef5322"),L=m("mf174de"),p=m("mfcb333"),k=m("mc59343"),a=m("m4c721d"),P=m("me07f80"),E=m("m962097"),i=m("mba8df2"),F=m("m9d6e92"),M=m("m3104e1"),l=m("m7358cf");function v(d){const{state:f}=d,$=(0,i.U7)(f),w=y=>y.filter(S=>S!==void 0).map(S=>(0,E.n8)(S,"warn"));return[...w([(0,a.g_)(f),(0,a.mF)(f)]),...$===void 0?[]:[(0,E.n8)($,(0,i.Ge)(f)?"warn":"plain")],...w([(0,a.gy)(f),(0,a.qC)(f),(0,a.W1)(f),(0,a.b9)(f),(0,a.w7)(f)]),...w([(0,l.YM)(d)]),...(0,l.dN)(f).map(y=>(0,E.n8)(`hard_stop_pending: line ${y.line} still wants a person: ${(0,E.TN)(y.text)}`,"warn"))]}function N(d){const{state:f}=d;return[...dangerBanner(d.protection).map($=>line($,"bad")),...R(d),...v(d),...storySummary(d),...I(d),...Z(d).map($=>line($)),line(`Progress: ${progressText(f)}.`),line(`Calls of the agent: ${callsText(f)}.`),line(`Circuit: ${circuitText(f)}.`,f.circuit.state==="CLOSED"?"plain":"warn"),...nt(d),line(`Next: ${nextStep(d)}`,"strong")]}function R(d){const{state:f}=d,$=shownStatus(d),w=endingOf(f);if(w===void 0){const A=d.alive?"The loop is running.":"The last run ended without an ending: it was killed, or an error ended it.";return[line(`${oneLine(f.loop_id)}: ${$}. ${A}`,d.alive?"strong":"warn")]}const y=w.outcome.exitCode===0?"good":"warn",S=reasonDetail(w.reason,d.word);return[line(`${oneLine(f.loop_id)}: ${$} (${w.reason.kind}). ${w.outcome.sentence}`,y),...S===""?[]:[line(`  ${S}`,y)]]}function I(d){const{result:f,sentence:$,failing:w}=proofOf(d.state),y=[line($,f==="verified"?"good":"warn")];if(w===null)return y;const S=lastLines(w.tail,15);return S.length>0&&y.push(line(`Last lines of \`${oneLine(checkLabel(w))}\`:`,"dim")),[...y,...S.map(A=>line(`  | ${A}`,"dim"))]}function Z({state:d,word:f}){const{iteration:$,max_iterations:w,spent:y}=d,{tokens:S,input_tokens:A,cached_input_tokens:W,output_tokens:V,resumes:Y}=y,D=(0,i.ON)(d),q=Y>0?`; resumed ${Y===1?"once":`${Y} times`}`:"";return[`Iterations: ${$} of ${w}. Tokens: ${(0,O.zD)(S)} (${(0,O.zD)(A)} in, of which ${(0,O.zD)(W)} cached; ${(0,O.zD)(V)} out).`,`Time: ${(0,O.p0)(y.turn_ms)} in ${(0,O.hS)(y.turns,"turn")}, ${(0,O.p0)(y.check_ms)} in checks${q}.`,...D===void 0?[]:[D],...tt(d).map(f)]}function tt(d){const[f,$]=[(0,k.rs)(d),(0,k.xn)(d)];return f===void 0?d.spent.turns===0?[]:["Cost: unknown; no price of the model is known. --model or --prices would tell."]:[`Cost: ${f}, by list prices of ${p.nx} unless prices or the agent says another${$===void 0?"":`; ${$} at this pace`}.`]}function Q({change:d}){return`Since the loop began: ${(0,P.k0)(d)}.`}function nt(d){const f=lastLines(d.change?.stat??"",Number.MAX_SAFE_INTEGER).slice(0,10);return[...d.branch===null?[]:[line(`Branch: ${oneLine(d.branch)}`)],line(Q(d)),...f.map($=>line(`  ${$}`,"dim")),line(`State: ${d.stateFile}`,"dim"),line(`Logs and messages: ${d.folder}`,"dim")]}})};export{Ve as id,Ze as ids,Ye as modules};
//# sourceMappingURL=report-page.js.map
