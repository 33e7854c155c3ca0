const Qe="report-page",Ve=["report-page"],Ze={mfcb333:((it,X,m)=>{m.d(X,{ho:()=>S,nx:()=>J,xx:()=>j});const J="2026-11-24",x=/-\d{4}-\d{2}-\d{2}$/u;function j(d,D,E){if(d===null)return;const i=d.replace(x,"");return D.get(d)??D.get(i)??E.find(F=>F.model===i)}const h=1e6;function S({input:d,cachedInput:D,output:E},i){const M=Math.max(0,d-D)*i.input+Math.min(D,d)*i.cachedInput+E*i.output;return Math.ceil(Math.round(M*h)/h)}}),m77b224:((it,X,m)=>{m.d(X,{reportPage:()=>Ke});var J=m("mf203b1"),x=m("m20624b"),j=m("m0b5f83"),h=m("mef5322"),S=m("me07f80"),d=m("m962097"),D=m("m4c721d"),E=m("m9d6e92"),i=m("m7358cf"),F=m("m3104e1"),M=m("m382078");function l(t){return[...dangerBanner(t.protection).map(e=>line(e,"bad")),k(t),...doubts(t),...storySummary(t),...Z(t),line(`Changed: ${tt(t)}`),...et(t),line(`Took: ${f(t)}${c(t)}`,"dim"),line(`Next: ${nextStep(t)}`,"strong")]}function k(t){const{state:e,alive:o}=t,s=(0,i.z6)(e),{result:r,sentence:a}=(0,D.oX)(e,"no tests");if(s===void 0)return(0,d.n8)(`– ${e.loop_id}: ${(0,i.O4)(t)}. ${(0,i.XZ)(t)}${o?"":` ${a}`}`,o?"strong":"warn");const{outcome:u,reason:p}=s,_=(0,E.k)(p,t.word),b=u.exitCode===0,O=_===""||L(p.kind)?[]:[/[.!?"]$/u.test(_)?_:`${_}.`],B=[u.sentence,...O,a],R=`${b&&r!=="unchecked"?"✓":b||v.test(u.status)?"–":"✗"} ${e.loop_id}: ${(0,i.O4)(t)} (${p.kind}). ${B.join(" ")}`;return(0,d.n8)(R,b?r==="unchecked"?"warn":"good":"warn")}const v=/^(?:paused_|waiting$|canceled$)/u;function L(t){return t==="success_command"||t==="already_green"}const I=5;function Z({state:t}){const{failing:e}=proofOf(t);if(e===null)return[];const o=t.baseline?.failing_count,s=o===void 0?"":` (${o} at the start)`,{failing:r}=t;if(r===null||r.failing_count===0){const b=oneLine(whyRed(e));return[line(`Failing: ${oneLine(checkLabel(e))}${b===""?"":`: ${b}`}`,"bad")]}const a=r.failing.slice(0,I).map(b=>cut(oneLine(b),100)),u=r.failing_count-a.length,p=u>0?` and ${u} more`:"",_=a.length===0?failedTests(e):`${a.join(", ")}${p}`;return[line(`Failing: ${counted(r.failing_count,"test")}${s}: ${_}`,"bad")]}function tt({change:t,branch:e,state:o}){const r=(t?.stat??"").split(`
`).map(_=>oneLine(_.replace(/ \| .*$/u,""))).filter(_=>_!=="").slice(0,I),a=(t?.files??0)-r.length,u=a>0?` and ${a} more`:"",p=o.iterations.findLast(_=>_.commit!==null)?.commit;return[`${changeText(t)}${r.length===0?"":`: ${r.join(", ")}${u}`}`,...e===null?[]:[`on ${oneLine(e)}`],...p==null?[]:[`last commit ${p.slice(0,12)}`]].join(", ")}const Q=/<promise>|^[A-Z_]{3,}:|^-{3,}/u;function et({state:t}){const e=(t.last_turn?.summary??"").replace(/^NOTES:[^]*/mu,""),s=lastLines(e,Number.MAX_SAFE_INTEGER).map(oneLine).findLast(r=>r!==""&&!Q.test(r));return s===void 0?[]:[line(`Agent: "${cut(plainText(s),160)}"`)]}function c({state:t}){const e=t.status==="completed"||t.status==="canceled"?void 0:forecastText(t);return e===void 0?"":`; ${e} at this pace`}function f({state:t}){const{iteration:e,max_iterations:o,spent:s}=t,r=duration(s.turn_ms+s.check_ms),a=costOrNone(t),u=[r,counted(s.tokens,"token"),...a===void 0?[]:[a]].join(", ");return`${grouped(e)} of ${counted(o,"iteration")}, ${u}`}const $=60,y=new Map([["completed","good"],["running","strong"],["canceled","dim"]]);function T(t){return t.toSorted((e,o)=>Date.parse(o.state.updated_at)-Date.parse(e.state.updated_at))}function P(t,e){const o=t.map(r=>({texts:A(r,e),status:r.status})),s=r=>Math.max(...o.map(({texts:a})=>String(a[r]).length));return o.map(({texts:r,status:a})=>{const u=r.map((p,_)=>p.padEnd(s(_))).join("  ");return line(u.trimEnd(),y.get(a)??"plain")})}function A({state:t,status:e,where:o},s){const r=duration(Math.max(0,s-Date.parse(t.updated_at))),a=t.stories===null?firstLine(t.prompt.trim()):`PRD ${t.stories.prd}`,u=oneLine(a);return[o===""?t.loop_id:`${t.loop_id} (in ${oneLine(o)})`,e,`${t.iteration} of ${t.max_iterations}`,`${r} ago`,u.length>$?`${u.slice(0,$)}…`:u]}var U=m("mc2cfc0"),V=m("maf4b51"),Y=m("md3f2d5");class N{text;constructor(e){this.text=e}}function q(t){return(0,d.wh)(t).replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;").replaceAll('"',"&quot;").replaceAll("'","&#39;")}function nt(t){return t==null||t===!1?"":t instanceof N?t.text:typeof t=="string"?q(t):typeof t=="number"?String(t):t.map(nt).join("")}function n(t,...e){return new N(t.map((o,s)=>o+nt(e[s])).join(""))}function g(t,e="",o){return[`i${t}`,...e===""?[]:[e],...o===void 0?[]:[o]].join("-")}const w={good:["✓","passed"],bad:["✗","failed"],open:["–","not proved"]};function W(t){const[e,o]=w[t];return n`<span class="mark ${t}" aria-hidden="true">${e}</span><span class="hidden">${o}:</span> `}function G(t,e,o,s="fold"){return n`<details class="${s}">
    <summary>${e}</summary>
    <div id="${t}" class="folded">${o}</div>
  </details>`}function C(t,e){return n`<pre tabindex="0" role="region" aria-label="${e}">${t}</pre>`}function K(t,e,o){return n`<div class="copyable">
    ${new N(`<pre id="${t}" tabindex="0" role="region" aria-label="${q(o)}">${q(e)}</pre>`)}<button
      type="button"
      data-copy="${t}"
      hidden
    >
      Copy<span class="hidden"> ${o}</span>
    </button>
  </div>`}const ot="http://www.w3.org/2000/svg",st=new Set(["aria-label","aria-description","style"]);class at{#t;constructor(e){this.#t=e}get text(){return q(this.#t)}}class ct{namespaceURI=ot;localName;ownerDocument;childNodes=[];#t=new Map;constructor(e,o){this.localName=e,this.ownerDocument=o}setAttribute(e,o){this.#t.set(e,String(o))}removeAttribute(e){this.#t.delete(e)}appendChild(e){return this.childNodes.push(e),e}insertBefore(e){return this.appendChild(e)}set textContent(e){this.childNodes.splice(0,1/0,new at(String(e)))}get text(){if(this.localName==="style")return"";const o=[...this.#t].filter(([s])=>!st.has(s)).map(([s,r])=>` ${s}="${q(r)}"`).join("");return`<${this.localName}${o}>${this.childNodes.map(({text:s})=>s).join("")}</${this.localName}>`}}class mt{documentElement=new ct("html",this);createElementNS(e,o){return new ct(o,this)}}function ft(t,e){const o=[t(new mt)].filter(s=>s instanceof ct);for(const s of o)for(const[r,a]of Object.entries(e))s.setAttribute(r,a);return new N(o.map(({text:s})=>s).join(""))}const dt=150,$t=6e4;function gt(t){const e=t.checks.reduce((o,{durationMs:s})=>o+s,0);return{iteration:t.iteration,failing:t.failing,tokens:t.usage===null?null:(0,Y.RP)(t.usage),cost:t.cost,time:(t.turn_ms+e)/$t,added:t.change?.added??null,removed:t.change?.removed??null}}function Bt(t){const e=Math.ceil(t.length/dt);return t.flatMap((o,s)=>{if(s%e!==0)return[];const r=t.slice(s,s+e),a=u=>bt(r.map(u));return{from:o.iteration,to:r.reduce((u,{iteration:p})=>p,o.iteration),failing:r.reduce((u,{failing:p})=>p??u,null),tokens:a(({tokens:u})=>u),cost:a(({cost:u})=>u),time:r.reduce((u,{time:p})=>u+p,0),added:a(({added:u})=>u),removed:a(({removed:u})=>u)}})}function bt(t){return t.reduce((e,o)=>o===null?e:o+(e??0),null)}const Wt="–",lt=(t,e)=>t===null?Wt:e(t),Tt=t=>(0,h.p0)(Math.round(t*$t)),Ut=[{id:"chart-failing",name:"Failing tests after each iteration",unit:"failing tests",shape:"line",sentence:t=>{const e=t.flatMap(({failing:o})=>o===null?[]:[o]);return`From ${e[0]} after the first count to ${e.at(-1)} after the last; at most ${Math.max(...e)}.`},columns:[["Failing tests",({failing:t})=>lt(t,h.zD)]],values:[({failing:t})=>t]},{id:"chart-time",name:"Time of each iteration",unit:"minutes",shape:"bars",sentence:t=>`${wt(t,({time:e})=>e,Tt)}, turn and checks together.`,columns:[["Time",({time:t})=>Tt(t)]],values:[({time:t})=>t]},{id:"chart-tokens",name:"Tokens and cost of each iteration",unit:"tokens",shape:"bars",sentence:t=>`${wt(t,({tokens:e})=>e,e=>(0,h.hS)(e,"token"))}.`,columns:[["Tokens",({tokens:t})=>lt(t,h.zD)],["Cost",({cost:t})=>lt(t,h.dR)]],values:[({tokens:t})=>t]},{id:"chart-lines",name:"Lines changed in each iteration",unit:"lines added ↑ removed ↓",shape:"bars",sentence:t=>`${(0,h.zD)(yt(t,({added:e})=>e))} lines added and ${(0,h.zD)(yt(t,({removed:e})=>e))} removed over all iterations shown; what was removed is below the line.`,columns:[["Added",({added:t})=>lt(t,h.zD)],["Removed",({removed:t})=>lt(t,h.zD)]],values:[({added:t})=>t,({removed:t})=>t===null?null:-t]}];function yt(t,e){return Number(bt(t.map(e)))}function wt(t,e,o){const s=Math.max(...t.map(a=>Number(e(a))));return t.filter(a=>Number(e(a))===s).slice(0,1).map(a=>`Most in ${Kt(a)}: ${o(s)}`).join("")}function Kt({from:t,to:e}){return t===e?`iteration ${t}`:`iterations ${t} to ${e}`}function zt(t){const e=Bt(t.map(gt)),o=Ut.filter(({values:s})=>e.some(r=>s.some(a=>Number(a(r))!==0)));return t.length<2||o.length===0?n`<p>There is too little to draw yet.</p>`:n`${o.map(s=>Ht(s,e,t.length))}`}function Ht(t,e,o){const{id:s,name:r,sentence:a,columns:u}=t,p=Math.ceil(o/dt),_=p>1?` Each ${t.shape==="line"?"point":"bar"} stands for ${p} iterations in a row.`:"";return n`<figure class="chart" aria-labelledby="${s}">
    <figcaption>
      <h3 id="${s}">${r}</h3>
      <p id="${s}-says">${a(e)}${_}</p>
    </figcaption>
    <div class="wide" tabindex="0" role="region" aria-label="${r}, drawn">${Jt(t,e)}</div>
    <details>
      <summary>Table<span class="hidden">: ${r}</span></summary>
      <div class="wide" tabindex="0" role="region" aria-label="${r}, as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">Iteration</th>
              ${u.map(([b])=>n`<th scope="col">${b}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${e.map(b=>n`<tr>
                  <th scope="row">${b.from===b.to?b.from:`${b.from} to ${b.to}`}</th>
                  ${u.map(([,O])=>n`<td>${O(b)}</td>`)}
                </tr>`)}
          </tbody>
        </table>
      </div>
    </details>
  </figure>`}const Ft=10;function Gt(t){const e=Math.ceil(t.length/Ft);return t.flatMap(({from:o},s)=>s%e===0?[o]:[])}const Xt={width:640,height:180,marginLeft:56,marginTop:24};function Jt({id:t,unit:e,values:o,shape:s},r){const a=({from:b,to:O})=>(b+O)/2,u=o.flatMap((b,O)=>{const B=r.filter(R=>b(R)!==null),z={className:O===0?"series":"series other"};return s==="line"?[(0,V.Mu)(B,{x:a,y:b,...z}),(0,V.Om)(B,{x:a,y:b,r:3,fill:"currentColor",...z})]:(0,V.aT)(B,{x1:({from:R})=>R-.5,x2:({to:R})=>R+.5,y:b,inset:.5,...z})}),p={label:"iteration",ticks:Gt(r),tickFormat:String},_={label:e,grid:!0,zero:!0};return ft(b=>(0,V.QI)({...Xt,document:b,x:p,y:_,marks:[(0,V.OJ)([0]),...u]}),{role:"img","aria-labelledby":`${t} ${t}-says`,class:"plot"})}var Qt=m("mf7f4e2"),Vt=m("md2c297"),Et=m("mc59343"),Zt=m("me34b18"),Yt=m("m521ef3"),qt=m("m5002c5"),te=m("m208c25"),kt=m("mf174de");async function*ee(t){let e,o;for await(const s of t){const r=e?.phase==="settled"&&oe(s)?e.last_turn:null;if(e!==void 0&&r!==null){const p=se(r,e.plan,o);yield{iteration:e.iteration,lines:[(0,d.n8)(`  decided: go on, because ${p}`,"strong")]}}e=(0,te.k)(e,s),s.type==="turn_started"&&(o=void 0),s.type==="proved"&&(o=s);const u=[...(0,S.Cl)(s,e),...ie(s,e)].map(({text:p,tone:_})=>(0,d.n8)(`  ${p}`,_));yield{iteration:e.iteration,lines:[...ne(s),...u]}}}function ne(t){return t.type==="turn_started"?[(0,d.n8)(""),(0,d.n8)(`Iteration ${t.iteration}, ${t.at}`,"strong")]:[]}function oe({type:t}){return t==="turn_started"||t==="wait_started"}function se(t,e,o){const{failure:s,claim:r}=t;if(s!==null)return`its turn failed (${s.kind}), and no rule ends it for that yet`;const a=(o?.verdict.checks??[]).filter(re).map(u=>(0,d.TN)((0,j.v8)(u)));return a.length>0?`${a.join(", ")} ${a.length===1?"is":"are"} red`:(0,Yt.vF)(r,e)?(0,qt.pZ)(o?.weaknesses??[]).length>0?"the proof is weak":"its claim does not count, and no other rule ends it":"the agent does not claim to be done, and no other rule ends it"}function re({exitCode:t,timedOut:e}){return t!==0||e}function ie(t,e){return t.type==="loop_stopped"?[ce(t.reason),...ae(t.reason)]:t.type!=="settled"?[]:[(0,d.n8)(`progress: ${(0,kt.l_)(e)}`,"dim"),(0,d.n8)(`circuit: ${(0,kt.l9)(e)}`,"dim")]}function ae(t){const e=(0,E.k)(t,o=>o);return e===""?[]:[(0,d.n8)(`evidence: ${e}`)]}function ce({kind:t}){return(0,d.n8)(`decided: stop, by the rule ${t} (${de[t]})`,"strong")}const de={promise:"POST 7",done_token:"POST 7",dual_gate:"POST 7",exit_signal:"POST 7",plan_complete:"POST 7, PRE 6",success_command:"POST 5",already_green:"PRE 6",stories_passed:"POST 6",story_review:"POST 9",story_blocked:"POST 6",stories_blocked:"POST 6",hard_stop:"POST 9, POST 4b, PRE 5",paused:"PRE 3",stopped:"PRE 3, POST 1",canceled:"PRE 2, POST 1",superseded:"PRE 1, POST 1",time_budget:"PRE 10, POST 13",max_iterations:"PRE 8, POST 12",tokens:"PRE 9, POST 13",total_time:"PRE 9, POST 13",agent_blocked:"POST 10",permission_denied:"POST 8",question:"section 4.5",unfinished:"POST 7b",proof_accepted:"PRE 5a",weak_proof:"POST 7a",reviewer_vetoes:"POST 7c",protected_paths:"POST 4a",too_large:"POST 4a",flaky:"PRE 6",not_reproduced:"PRE 6, POST 4c",head_moved:"POST 1a",no_progress:"POST 11, PRE 7",same_error:"POST 11, PRE 7",test_loops:"POST 11, PRE 7",missing_status:"POST 11, PRE 7",rate_limit:"POST 3, PRE 11",usage_limit:"POST 3, PRE 11",calls_per_hour:"PRE 11",tokens_per_day:"PRE 11",auth:"POST 2",config:"POST 2",sandbox_broken:"POST 2",provider:"POST 4",gate_unrunnable:"section 4.5",commit_refused:"section 4.5",carriers_unreachable:"PRE 1"};var le=m("m2646c1");const ue=1e7,me=200,fe={checks:[],cost:null,failing:null};async function he(t,e=ue){const o=new Map,s=$e(o,e),r=[];let a=[],u=null,p;const _=O=>{p=O,O.type==="turn_started"&&(a=[]);const{open:B,closed:z}=(0,le.X)(u,O);u=B;for(const H of[z,B]){if(H===null)continue;const ut=o.get(H.iteration),rt=ut===void 0||O.type==="turn_started"&&H===B;o.set(H.iteration,rt?{...fe,told:ut?.told??[],meta:H}:{...ut,meta:H})}const R=o.get((B??z)?.iteration??0);R!==void 0&&(O.type==="turn_ended"&&(R.cost=O.cost??null),O.type==="proved"&&(R.checks=O.verdict.checks,R.failing=O.failing?.failing_count??(O.verdict.result==="passed"?0:null),s(R)))};for await(const{iteration:O,lines:B}of ee(pe(t,_))){const z=B.map(rt=>({...rt,text:rt.text.trim()})).filter(({text:rt})=>rt!=="");p?.type==="loop_stopped"&&(a=z);const R=p?.type==="turn_ended"?p.iteration:O,H=o.get(R)?.told??r,ut=z.filter(({text:rt})=>!/^Iteration \d+, /u.test(rt));H.push(...ut.slice(0,Math.max(0,me-H.length)))}return{iterations:[...o.values()].map(({meta:O,...B})=>({...O,...B})),before:r,ending:a}}async function*pe(t,e){for await(const o of t)e(o),yield o}function $e(t,e){let o=0;return s=>{o+=Ot(s);for(const r of t.values()){if(o<=e||r===s)return;o-=Ot(r),r.checks=r.checks.map(a=>({...a,tail:""}))}}}function Ot({checks:t}){return t.reduce((e,{tail:o})=>e+o.length,0)}function ge({exitCode:t,timedOut:e}){return t===0&&!e}function _e(t){const e=t.timedOut?"timed out":t.exitCode===null?"did not end":`exit ${t.exitCode}`,o=t.tests===null||t.tests.failed===0?[]:[`${(0,h.hS)(t.tests.failed,"test")} failed`];return`${(0,d.TN)((0,j.v8)(t))}: ${[e,(0,h.p0)(t.durationMs),...o].join(", ")}`}function xt(t){const{agent:e,change:o,failing:s,checks:r,verdict:a,usage:u,cost:p}=t,_=t.turn_ms+r.reduce((b,{durationMs:O})=>b+O,0);return[...e===null?["its turn has not ended"]:e==="ok"?[]:[`turn: ${e.replaceAll("_"," ")}`],be[a],...s===null||s===0?[]:[`${(0,h.hS)(s,"test")} failing`],...o===null?[]:[`${(0,h.hS)(o.files,"file")} +${o.added} −${o.removed}`],..._===0?[]:[(0,h.p0)(_)],...u===null?[]:[(0,h.hS)((0,Y.RP)(u),"token")],...p===null?[]:[(0,h.dR)(p)]].join(" · ")}const be={passed:"checks passed",failed:"checks failed",cut_off:"checks cut off",unrunnable:"a check could not run",none:"not checked"};function vt({verdict:t,agent:e}){return t==="passed"?"good":t==="none"&&(e==="ok"||e===null||e==="abandoned")?"open":"bad"}function Te(t,{ending:e},o){return n`${ye(t)}${Ee(t)}
    <section aria-labelledby="next">
      <h2 id="next">What you have to do</h2>
      ${ke(t)}
    </section>
    <section aria-labelledby="rule">
      <h2 id="rule">What stopped it</h2>
      ${ve(t,e)}
    </section>
    <section aria-labelledby="tests">
      <h2 id="tests">Failing tests</h2>
      ${Pe(t)}
    </section>
    <section aria-labelledby="files">
      <h2 id="files">Files changed</h2>
      ${De(t)}
    </section>
    <section aria-labelledby="took">
      <h2 id="took">Time, tokens, cost</h2>
      ${Me(t)}
    </section>
    <section aria-labelledby="strip">
      <h2 id="strip">Iterations at a glance</h2>
      ${Le(o)}
    </section>`}function ye({protection:t}){const e=(0,Zt.o)(t);return n`${e.length>0&&n`<aside class="danger" aria-label="Warning">
      <p>Warning: run this only where nothing is of value.</p>
      ${ht(e)}
    </aside>`}`}function ht(t){return n`<ul>
    ${t.map(e=>n`<li>${e}</li>`)}
  </ul>`}const we={good:"good",bad:"bad",warn:"warn"};function Ee(t){const{state:e}=t,{text:o,tone:s}=k(t),r=(0,D.Yw)(e),a=e.iterations.findLast(_=>_.commit!==null)?.commit??null,u=[["Command",r===null||r.checks.length===0?"none":r.checks.map((_,b)=>n`${b>0&&", "}<code>${(0,d.TN)((0,j.v8)(_))}</code>`)],["Commit",a===null?"none":n`<code>${a.slice(0,12)}</code>`],["Iteration",`${(0,h.zD)(e.iteration)} of ${(0,h.zD)(e.max_iterations)}`],...t.branch===null?[]:[["Branch",n`<code>${(0,d.TN)(t.branch)}</code>`]]],p=(0,M.OD)(t);return n`<section aria-labelledby="verdict" class="verdict ${s in we?s:"plain"}">
    <h1 id="verdict">${o}</h1>
    <dl class="facts">
      ${u.map(([_,b])=>n`<div>
            <dt>${_}</dt>
            <dd>${b}</dd>
          </div>`)}
    </dl>
    ${p.length>0&&ht(p.map(_=>_.text))}
  </section>`}function ke(t){const e=(0,i.sk)(t),o=xe(t,e),s=(0,i.z6)(t.state)?.outcome.resumableBy==="nobody";return n`<p>${s&&n`<strong>Nothing</strong> to start or to answer. `}${e}</p>
    ${o!==void 0&&K("resume",o,"the command")}`}const Oe=/^(?:(?:waylon-)?smithers|daedalus) /u;function xe({resume:t},e){return Oe.test(t)&&e.includes(t)?t:/\/smithers prd [\w.-]+ (?:retry|accept) US-[\d-]+/u.exec(e)?.[0]}function ve(t,e){if((0,i.z6)(t.state)===void 0)return n`<p>
      ${t.alive?"Nothing: it is running.":"No rule: its run was killed, or an error ended it."}
    </p>`;const o=e.length===0?[(0,i.O4)(t)]:e.map(({text:s})=>s);return ht(o)}const pt=10;function Pe({state:t}){const{baseline:e,failing:o}=t,{failing:s}=(0,D.oX)(t),r=o??(s===null?{failing:[],failing_count:0}:null);return n`<div class="pair">
    <div>
      <h3>At the start</h3>
      ${Pt(e)}
    </div>
    <div>
      <h3>Now</h3>
      ${Pt(r)}
    </div>
  </div>`}function Pt(t){if(t===null)return n`<p>Not known.</p>`;const{failing:e,failing_count:o}=t;if(o===0)return n`<p>None.</p>`;const s=e.map(a=>n`<li><code>${(0,d.Jj)((0,d.TN)(a),300)}</code></li>`),r=o-e.length;return n`<p>${(0,h.hS)(o,"test")}</p>
    <ul>
      ${s.slice(0,pt)}
    </ul>
    ${s.length>pt&&n`<details>
        <summary>${s.length-pt} more</summary>
        <ul>
          ${s.slice(pt)}
        </ul>
      </details>`}${r>0&&n`<p>${(0,h.hS)(r,"more test")} without a name here.</p>`}`}const Ne=/^(?<path>.*) \| (?<counts>.*)$/u;function Se({stat:t}){return t.split(`
`).flatMap(o=>{const{path:s,counts:r}=Ne.exec(o)?.groups??{};return s===void 0||r===void 0?[]:[{path:s,counts:r.replace("-","−"),kind:(0,Qt.t7)(s)?"CI":(0,Vt.MQ)(s)?"test":""}]}).toSorted((o,s)=>+(o.kind==="")-+(s.kind===""))}function De({change:t}){if(t===null)return n`<p>Not known: nothing is measured here, or the loop's files were cleaned away.</p>`;if(t.files===0)return n`<p>None.</p>`;const e=Se(t),o=t.files-e.length,s=e.some(({kind:r})=>r!=="");return n`<p>
      ${(0,h.hS)(t.files,"file")}, <span class="plus">+${(0,h.zD)(t.added)}</span>
      <span class="minus">−${(0,h.zD)(t.removed)}</span>
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
          ${e.map(({path:r,kind:a,counts:u})=>n`<tr>
                <td><code>${(0,d.TN)(r)}</code></td>
                ${s&&n`<td>${a}</td>`}
                <td>${(0,d.TN)(u)}</td>
              </tr>`)}
        </tbody>
      </table>
    </div>
    ${o>0&&n`<p>${(0,h.hS)(o,"more file")}.</p>`}`}function Me(t){const{state:e}=t,{spent:o}=e,s=e.status==="completed"||e.status==="canceled"?void 0:(0,Et.xn)(e),r=[["Time",(0,h.p0)(o.turn_ms+o.check_ms)],["Tokens",(0,h.zD)(o.tokens)],["Cost",(0,Et.vQ)(e)??"–"],...s===void 0?[]:[["Still needed",`${s} at this pace`]]];return n`<dl class="facts">
      ${r.map(([a,u])=>n`<div>
            <dt>${a}</dt>
            <dd>${u}</dd>
          </div>`)}
    </dl>
    <details>
      <summary>In detail</summary>
      ${ht((0,M.Sd)(t))}
    </details>`}function Le(t){return t.length===0?n`<p>No iteration has begun.</p>`:n`<ol class="strip">
      ${t.map(e=>n`<li>
            <a href="#${g(e.iteration)}" title="${xt(e)}"
              >${W(vt(e))}<span class="hidden">iteration </span>${e.iteration}</a
            >
          </li>`)}
    </ol>
    <p class="legend">✓ checks passed · ✗ failed · – not checked</p>`}function Nt(t,e){const{iteration:o,item:s}=t;return n`<details class="iteration searched">
    <summary>
      ${W(vt(t))}<strong>Iteration ${o}</strong> · ${(0,d.Jj)((0,d.TN)(s),120)} ·
      ${xt(t)}
    </summary>
    <div id="${g(o)}" class="folded">${e}</div>
  </details>`}function Ie(t,e,o){const{iteration:s,commit:r,checks:a,told:u,started_at:p}=t,{prompt:_,changes:b,message:O}=e,B=_===null&&b===null&&e.checks===null,z=g(s);return n`<p class="dim">
      Began ${p}${r!==null&&n`, commit <code>${r.slice(0,12)}</code>`} ·
      <a href="#${z}">#${z}</a>
    </p>
    <ul>
      ${u.map(({text:R})=>n`<li>${(0,d.Jj)(R,Ce)}</li>`)}
    </ul>
    ${a.map((R,H)=>je(s,R,H+1))}
    ${o&&B&&Re} ${_t(s,"output","All that the checks said",e.checks)}
    ${o&&[Be(s,b),_t(s,"prompt","Prompt",_),_t(s,"message","Last message of the agent",O)]}`}const Re=n`<p class="note">
  Its prompt, its diff and all that its checks said are not kept: only those of the last 50 iterations are.
</p>`,Ce=1e3;function je(t,e,o){const s=(0,d.TN)((0,x.T9)(e)),r=`end of the output of check ${o} of iteration ${t}`,a=e.tail.trim()===""?n`<p>No output is kept here.</p>`:C(e.tail,r);return G(g(t,"check",o),n`${W(ge(e)?"good":"bad")}${_e(e)}`,n`${s!==""&&n`<p>${s}</p>`}${a}`)}function _t(t,e,o,s){if(s===null||s.text==="")return null;const r=`${o}, iteration ${t}`;return G(g(t,e),o,n`${St(s)}${C(s.text,r)}`)}function St({leftOut:t,part:e}){return t===0?null:n`<p class="note">
        Only its ${e} is shown: ${(0,h.zD)(t)} bytes are left out here, and in the loop's folder.
      </p>`}const Ae=[[/^(?:diff |index |--- |\+\+\+ |\[cut: )/u,"head"],[/^@@/u,"at"],[/^\+/u,"add"],[/^-/u,"cut"]];function Be(t,e){if(e===null||e.text==="")return null;const o=e.text.split(`
`).map(r=>{const a=Ae.find(([u])=>u.test(r))?.[1];return[a===void 0?r:n`<span class="${a}">${r}</span>`,`
`]}),s=n`<pre class="diff" tabindex="0" role="region" aria-label="Changes, iteration ${t}">${o}</pre>`;return G(g(t,"changes"),"Changes",n`${St(e)}${s}`)}const Dt=String.raw`"use strict";
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
code, pre { font-family: ui-monospace, monospace; font-size: .875rem; }
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
`,We=1e7,Lt=2e3,Ue=500;async function Ke(t,e=We){const{view:o,withTexts:s}=t,r=await he(t.events),a=r.iterations.slice(-Lt),p={top:Te(o,r,a),charts:zt(a),agent:He(t,r),stories:Fe(o)},_=a.map(H=>Nt(H,It)),b=Rt(At(o,p,[Ct(r),..._],s)),O=await ze(t,a,e-b),B=a.map(H=>Nt(H,O.get(H.iteration)??It)),z=r.iterations.length-a.length,R=z>0&&n`<p>
      ${(0,h.hS)(z,"earlier iteration")} are not on this page: it shows the last ${(0,h.zD)(Lt)}.
    </p>`;return At(o,p,[n`${R}`,Ct(r),...B],s)}const It=n`<p class="note">
  What this iteration wrote is left out, because the page would be too long. It is in the loop's folder.
</p>`;async function ze({textsOf:t,withTexts:e},o,s){const r=new Map;let a=s;for(const u of o.toReversed()){const p=Ie(u,await t(u.iteration),e);if(a-=Rt(p.text),a<0)break;r.set(u.iteration,p)}return r}function Rt(t){return Buffer.byteLength(t)}function Ct({before:t}){const e=t.slice(0,100);return e.length===0?n``:n`<details class="iteration searched">
    <summary>Before the first iteration</summary>
    <div id="i0" class="folded">
      <ul>
        ${e.map(({text:o})=>n`<li>${(0,d.Jj)(o,1e3)}</li>`)}
      </ul>
    </div>
  </details>`}function He({view:t,withTexts:e},o){const{state:s}=t,{failing:r}=(0,D.oX)(s),a=s.failing?.failing??[],u=[e?`Task:
${s.prompt.trim()}`:"",`State:
${k(t).text}`,a.length===0?"":`Failing tests:
${a.map(p=>`- ${(0,d.TN)(p)}`).join(`
`)}`,r===null?"":`Last output of ${(0,d.TN)((0,j.v8)(r))}:
${r.tail.trim()||(0,x.UN)(r)}`,`Decision:
${[...o.ending.map(({text:p})=>p),`next: ${(0,i.sk)(t)}`].join(`
`)}`];return K("for-an-agent",u.filter(p=>p!=="").join(`

`),"for an agent")}function Fe({state:t,prd:e}){const o=(0,U.u2)(t,e);if(o===null)return null;const s=(0,U.gR)(o),{rows:r,rest:a}=(0,U.NB)(o.stories,Ue);return n`<p>${(0,U.Wl)(o)}.${s!==void 0&&` At work on ${s}.`}</p>
    <ul>
      ${r.map(u=>n`<li class="searched" id="${u.id}">
            <span aria-hidden="true">${U.t5[u.status]}</span> <strong>${u.id}</strong> ${(0,U._Q)(u)}:
            ${(0,U.sV)(u)}${u.commit!==null&&n`, <code>${u.commit.slice(0,12)}</code>`}
          </li>`)}
    </ul>
    ${a!==""&&n`<p>${a}.</p>`}`}function jt(t){return`'sha256-${(0,J.createHash)("sha256").update(t).digest("base64")}'`}function Ge(){return["default-src 'none'",`script-src ${jt(Dt)}`,`style-src ${jt(Mt)}`,"img-src data:","base-uri 'none'","form-action 'none'"].join("; ")}const Xe=n`<p class="note">
  Prompts, messages of the agent and diffs are left out of this page, because its readers may not be those who may see
  them.
</p>`;function At(t,e,o,s){const{loop_id:r,generation:a,updated_at:u,iteration:p}=t.state,_=p===0?"None has begun.":"The events of this loop are gone, so they are not known.",b=o.every(({text:O})=>O==="")?n`<p>${_}</p>`:n`${o}`;return n`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        ${new N(`<meta http-equiv="Content-Security-Policy" content="${Ge()}">`)}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>Loop ${r}</title>
        ${new N(`<style>${Mt}</style>`)}
      </head>
      <body>
        <a class="skip" href="#iterations">To the iterations</a>
        <main>${e.top} ${s?null:Xe} ${Je(e,b)}</main>
        <footer>
          <p>
            Loop ${r}, generation ${a}, as of ${u}. Made by smithers; nothing on this page is loaded or sent.
          </p>
        </footer>
        ${new N(`<script>${Dt}<\/script>`)}
      </body>
    </html> `.text}function Je({charts:t,agent:e,stories:o},s){const r=(u,p,_)=>n`<section aria-labelledby="${u}">
      <h2 id="${u}">${p}</h2>
      ${_}
    </section>`,a=n`<details>
    <summary>Task, failing tests, last output and decision, as one text</summary>
    ${e}
  </details>`;return n`${r("agent","Copy for an agent",a)} ${r("charts","Charts",t)}
    <form id="search" role="search" hidden>
      <label for="search-for">Search iterations${o!==null&&" and stories"}</label>
      <input id="search-for" type="search" autocomplete="off" />
      <p id="search-found" role="status" class="dim"></p>
    </form>
    ${r("iterations","Iterations",s)}
    ${o!==null&&r("stories","Stories",o)}`}}),me07f80:((it,X,m)=>{m.d(X,{Cl:()=>l,HX:()=>tt,Lq:()=>y,k0:()=>L,nx:()=>U,tY:()=>I,yt:()=>V});var J=m("md3f2d5"),x=m("m521ef3"),j=m("m0ec62e"),h=m("md61422"),S=m("m20624b"),d=m("m5002c5"),D=m("m0b5f83"),E=m("mef5322"),i=m("m962097"),F=m("m9d6e92"),M=m("m3104e1");function l(n,g){switch(n.type){case"loop_started":{const w=n.generation>1?`, generation ${n.generation}`:"",W=(0,E.hS)(n.max_iterations,"iteration");return[(0,i.n8)(`loop ${n.loop_id} started: ${W} at most${w}`,"strong"),...(0,M.VE)(n,g)]}case"loop_resumed":return[(0,i.n8)(`loop ${g.loop_id} resumed: ${(0,E.hS)(g.iteration,"iteration")} begun so far`,"strong"),...(0,M.VE)(n,g)];case"turn_abandoned":return[(0,i.n8)(`iteration ${n.iteration} was cut short when its run died; it counts`,"warn"),...et(n)];case"turn_started":return[(0,i.n8)(v(n,g),"strong")];case"session_opened":return[(0,i.n8)(`${n.replaces===void 0?"":"fresh "}session ${(0,i.TN)(n.session_id)}`,"dim")];case"turn_ended":return Z(n,g);case"proved":return c(n,tt(n.verdict,g));case"reviewed":return[];case"wait_started":return[(0,i.n8)(y(n,g.not_before),"warn")];case"settled":return[...et(n),...(0,M.QM)(n,g)];case"story_examined":return(0,M.LK)(n);case"story_given_up":return[(0,M.QN)(n.story)];case"story_shelved":return(0,M.cv)(n);case"story_ruled":return[(0,M.bw)(n)];case"loop_stopped":{const{reason:w}=n,{status:W,sentence:G,exitCode:C}=(0,j.sG)(w),K=w.kind==="head_moved"?[(0,i.n8)((0,F.l)(w),"warn")]:[];return[(0,i.n8)(`loop ${W} (${w.kind}): ${G}`,C===0?"good":"warn"),...K,...k(n)]}case"reset":return[(0,i.n8)(`${n.what} reset by ${(0,i.TN)(n.by)}`)];case"published":return n.pull_request===null?[]:[(0,i.n8)(`pull request ${n.pull_request.url}`,"strong")]}}function k({submodules:n=[]}){if(n.length===0)return[];const g=n.map(i.TN).join(", ");return[(0,i.n8)(`the commit moves a submodule to another commit (${g}): push that one first, from there`,"warn")]}function v(n,{stories:g}){const{iteration:w,session:W,item:G,provider:C}=n,K=g&&(0,h.zv)(g,G.id)?.attempts,ot=K===null?"":`, ${G.id} ${(0,i.TN)(G.title)} (attempt ${K??1})`,st=C===void 0?"":`, by ${(0,i.TN)(C)}`;return`iteration ${w} started, ${W} session${ot}${st}`}function L(n){return n===null?"changes not measured":n.files===0?"no file changed":`${(0,E.hS)(n.files,"file")} changed (+${n.added} -${n.removed})`}function I(n){const{exitCode:g,timedOut:w,durationMs:W}=n,[G,C]=Q(n)?["passed","good"]:["failed","bad"],ot=[w?"timed out":g===null?"did not end":`exit ${g}`,(0,E.p0)(W),(0,D.yp)(n)].filter(at=>at!==void 0).join(", "),st=Q(n)?"":(0,i.TN)((0,S.T9)(n));return(0,i.n8)(`check ${G} (${ot}): ${(0,i.TN)((0,D.v8)(n))}${st===""?"":`: ${st}`}`,C)}function Z(n,{artifacts:g}){const{change:w,usage:W,duration_ms:G,failure:C,claim:K,tally:ot,undone:st=[]}=n,{hint:at,blocked:ct,person:mt}=K,ft=C===null?(0,x.QX)(K,ot):null,dt=`${L(w)}, ${(0,E.zD)((0,J.RP)(W))} tokens, ${(0,E.p0)(G)}`;return[C===null?(0,i.n8)(`agent ended its turn: ${dt}`):(0,i.n8)(`agent failed (${C.kind}): ${(0,i.TN)(C.message)}; ${dt}`,"bad"),...C?.next===void 0?[]:[(0,i.n8)(`what helps: ${(0,i.TN)(C.next)}`,"warn")],...C===null&&(0,x.vF)(K,ot)?[(0,i.n8)("agent claims to be done","good")]:[],...ft===null?[]:[(0,i.n8)(`claim names unfinished work: ${(0,i.TN)(ft)}`,"warn")],...at===null?[]:[(0,i.n8)(`claim does not count: ${(0,i.TN)(at)}`,"warn")],...ct===null?[]:[(0,i.n8)(`agent is blocked: ${(0,i.TN)(ct)}`,"warn")],...mt===void 0?[]:[(0,i.n8)(`agent needs a person: ${(0,i.TN)(mt)}`,"warn")],...st.map(gt=>(0,M.w$)(gt,g.dir))]}function tt(n,{phase:g,last_turn:w,plan:W}){if(!(g==="unsettled"&&w!==null&&w.failure===null&&(0,x.vF)(w.claim,W))||n.result!=="failed"||n.occasion!==void 0)return;const C=n.checks.filter(K=>!Q(K)).map(K=>(0,i.TN)((0,D.v8)(K)));return`claim refused: ${C.join(", ")} ${C.length===1?"is":"are"} red`}function Q(n){return n.exitCode===0&&!n.timedOut}function et(n){return[...n.commit?[(0,i.n8)(`committed ${n.commit}`,"dim")]:[],...k(n)]}function c({verdict:n,weaknesses:g},w){return[...n.checks.map(I),...f(n),...w===void 0?[]:[(0,i.n8)(w,"bad")],...n.result==="cut_off"?[(0,i.n8)("checks cut off before they had ended","warn")]:[],...n.result==="unrunnable"?[(0,i.n8)(`check cannot run: ${(0,i.TN)(n.problem.what)}`,"bad")]:[],...(0,d.pZ)(g).map(W=>(0,i.n8)(`weak proof: ${(0,i.TN)(W)}`,"warn"))]}function f({occasion:n,result:g}){if(n===void 0)return[];const w="checks asked between claims, because the turn changed something";return g==="passed"?[(0,i.n8)(`${w}: green proves nothing by itself, and the agent is told to say if it is done`)]:g==="failed"?[(0,i.n8)(`${w}: the next turn is told what is red`)]:[(0,i.n8)(w)]}const $={interval:"the interval between iterations",rate_limit:"the provider limits the rate of requests",usage_limit:"the provider's usage limit is reached",calls_per_hour:"the calls of this hour are used up",tokens_per_day:"the tokens of this day are used up"};function y(n,g){const w=(0,i.TN)(g?.message??"").slice(0,200);return`waiting until ${n.until}: ${$[n.why]}${w===""?"":` (${w})`}`}const T=300,P=4e3,A=3;function U(n){switch(n.type){case"session.started":return"the agent is starting";case"message":return`the agent says: ${N(n.text)}`;case"reasoning":return`the agent thinks: ${N(n.text)}`;case"output":return`the agent prints: ${N(n.text)}`;case"command.started":return`the agent runs: ${N(n.command)}`;case"check.started":return`checking: ${N(n.command)}`;case"turn.retrying":return`${n.failure.kind}: ${Y(n)}`;case"command.ended":case"files.changed":case"permission.denied":case"tool.used":return"the agent is thinking";case"check.ended":case"notice":case"usage":case"turn.completed":case"turn.failed":return}}function V(n){switch(n.type){case"message":return(0,i.n8)(`agent says: ${N(n.text)}`,"dim");case"output":return(0,i.n8)(`agent prints: ${N(n.text)}`,"dim");case"command.ended":return(0,i.n8)(`agent ran (${q(n.exitCode)}): ${N(n.command)}`,"dim");case"files.changed":return(0,i.n8)(`agent changed ${nt(n.changes.map(g=>g.path))}`,"dim");case"tool.used":return(0,i.n8)(`agent used ${N(n.name)}${n.failed?", which failed":""}`,"dim");case"permission.denied":return(0,i.n8)(`agent was not allowed: ${N(n.what)}`,"warn");case"notice":return(0,i.n8)(`notice: ${N(n.text,P)}`,"dim");case"turn.retrying":{const g=`attempt ${n.attempt}, ${Y(n)}`;return(0,i.n8)(`agent failed (${n.failure.kind}), ${g}: ${N(n.failure.message)}`,"warn")}case"check.started":return(0,i.n8)(`check started: ${N(n.command)}`,"dim");case"session.started":case"reasoning":case"command.started":case"check.ended":case"usage":case"turn.completed":case"turn.failed":return}}function Y({delayMs:n}){return`trying again ${n===0?"at once":`in ${(0,E.p0)(n)}`}`}function N(n,g=T){const w=(0,i.TN)(n);return w.length>g?`${w.slice(0,g)}…`:w}function q(n){return n===null?"no exit code":`exit ${n}`}function nt(n){const g=n.slice(0,A).map(i.TN).join(", "),w=n.length-A;return`${(0,E.hS)(n.length,"file")}: ${g}${w>0?` and ${w} more`:""}`}}),m9d6e92:((it,X,m)=>{m.d(X,{k:()=>M,l:()=>D});var J=m("mc02145"),x=m("m5002c5"),j=m("m84a7d2"),h=m("mf5f11f"),S=m("mef5322"),d=m("m962097");function D({from:l,to:k}){const v=`It was ${E(l)}, and is ${E(k)}.`;if(l.branch!==void 0&&l.branch!==k.branch){const Q=l.branch===null?`--detach ${i(l.head)}`:(0,d.TN)(l.branch);return`${v} \`git switch ${Q}\` goes back.`}if(l.head===null)return`${v} \`git update-ref -d HEAD\` puts it back and keeps the files.`;const[I,Z]=[i(l.head),i(k.head)],tt=`If \`git log ${Z}..${I}\` names commits, they were undone, and the files that they brought are missing: \`git checkout ${I} -- FILE\` brings them back, else the story's commit deletes them.`;return`${v} \`git reset --soft ${I}\` puts it back and keeps the files; what came is still ${Z} then. Your own commit can stay: the loop builds on it. ${tt}`}function E({head:l,branch:k}){const v=l===null?"before the first commit":`at ${i(l)}`;return k===void 0?v:`${k===null?"on no branch":`on ${(0,d.TN)(k)}`}, ${v}`}function i(l){return String(l).slice(0,12)}function F({why:l,run:k,job:v,cause:L}){const I=l==="green_here"?"The checks here are green before anything was changed":"The checks are green although nothing was changed";return`Job ${(0,d.TN)(v)} of ${(0,d.TN)(k)} was red. ${I}. Cause, as far as it shows: ${j.hE[L]}.`}function M(l,k){switch(l.kind){case"promise":case"done_token":case"dual_gate":case"exit_signal":return l.verified?"":"No check is configured, so nobody but the agent says so.";case"plan_complete":return l.verified?"":"No check is configured, so nothing but the plan says so.";case"success_command":case"already_green":return`Command: ${(0,d.TN)(l.command)}`;case"stories_passed":return`${(0,S.zD)(l.passed)} of the PRD's ${(0,S.zD)(l.total)} stories have passed.`;case"story_review":return`${l.story} ${(0,d.TN)(l.title)}${l.commit===null?"":`: commit ${l.commit}`}`;case"story_blocked":return`${l.story}: ${(0,d.TN)(l.why)}`;case"stories_blocked":{const v=l.waiting===0?[]:[`${l.waiting} more wait for these.`];return[...l.stories.map(({id:L,why:I})=>`${L}: ${(0,d.TN)(I)}`),...v].join(" ")}case"hard_stop":return l.hits.map(({line:v,text:L,vanished:I})=>`${I===!0?"gone":`line ${v}`}: ${(0,d.TN)(L)}`).join("; ");case"paused":case"stopped":case"canceled":return`Asked for by: ${(0,d.TN)(l.by)}`;case"superseded":return`The other run: ${(0,d.TN)(l.by)}`;case"carriers_unreachable":return l.unanswered.map(({carrier:v,why:L})=>`${v}: ${(0,d.TN)(L)}`).join(" ");case"time_budget":return"";case"max_iterations":return(0,S.hS)(l.max,"iteration");case"tokens":return`${(0,S.zD)(l.spent)} of ${(0,S.zD)(l.max)} tokens`;case"total_time":return`${(0,S.p0)(l.spent)} of ${(0,S.p0)(l.max)}`;case"agent_blocked":return(0,d.TN)(l.why);case"permission_denied":return l.denied.map(({what:v,allow:L})=>`${(0,d.TN)(v)}: ${(0,d.TN)(k(L))}`).join(" ");case"question":return(0,d.TN)(l.question);case"unfinished":return`It says: "${(0,d.TN)(l.said)}"`;case"proof_accepted":return(0,d.em)(`By ${(0,d.TN)(l.by)}, ${l.at}. ${(0,d.TN)((0,x.pZ)(l.weaknesses).join("; "))}`);case"weak_proof":return(0,d.em)((0,d.TN)((0,x.pZ)(l.weaknesses).join("; ")));case"reviewer_vetoes":return(0,d.em)((0,d.TN)((0,h.EJ)(l.objections).join("; ")));case"protected_paths":case"too_large":return(0,d.em)((0,d.TN)((0,J.WW)(l)));case"flaky":return`${(0,d.TN)(l.command)} was red, and green when it was asked again${l.tests.length===0?"":`: ${(0,d.TN)(l.tests.join(", "))}`}.`;case"not_reproduced":return F(l);case"head_moved":return D(l);case"no_progress":case"same_error":case"test_loops":case"missing_status":return(0,S.hS)(l.count,"iteration");case"rate_limit":case"usage_limit":return`Until ${l.until}: ${(0,d.TN)(l.message)}`;case"tokens_per_day":return`Until ${l.until}: ${(0,S.zD)(l.max)} tokens a day`;case"calls_per_hour":return`Until ${l.until}: ${(0,S.hS)(l.max,"call")} an hour`;case"auth":case"config":case"sandbox_broken":case"provider":{const{kind:v,message:L,next:I}=l.failure;return`${v}: ${(0,d.TN)(L)}${I===void 0?"":` ${(0,d.TN)(k(I))}`}`}case"gate_unrunnable":case"commit_refused":return`${(0,d.TN)(l.problem.what)} ${(0,d.TN)(k(l.problem.next))}`}}}),mba8df2:((it,X,m)=>{m.d(X,{Ge:()=>S,ON:()=>D,U7:()=>h});var J=m("mf5f11f"),x=m("mef5322"),j=m("m962097");function h({review:E}){const{answer:i,why:F,objections:M,iteration:l,vetoes:k}=E;switch(i){case null:return;case"clear":return`Another session reviewed the work of iteration ${l} and holds nothing against it.`;case"veto":return`Another session reviewed the work of iteration ${l} and vetoed it${k>1?` (veto ${k})`:""}: ${d((0,J.EJ)(M))}.`;case"unreadable":case"failed":return`The review of iteration ${l} gave no answer that counts, so nobody has vetoed the work: ${(0,j.TN)(F)}.`}}function S({review:E}){return E.answer!==null&&E.answer!=="clear"}function d(E){return E.map(i=>`"${(0,j.TN)(i)}"`).join("; ")}function D({review:{spent:E}}){const{reviews:i,tokens:F,input_tokens:M,cached_input_tokens:l,output_tokens:k,ms:v}=E;if(!(i===0&&F===0))return`Reviews: ${(0,x.hS)(i,"session")}, ${(0,x.p0)(v)}. Tokens, not among the others: ${(0,x.zD)(F)} (${(0,x.zD)(M)} in, of which ${(0,x.zD)(l)} cached; ${(0,x.zD)(k)} out).`}}),m3104e1:((it,X,m)=>{m.d(X,{LK:()=>E,QM:()=>d,QN:()=>D,VE:()=>k,bw:()=>l,cv:()=>F,w$:()=>M});var J=m("md61422"),x=m("mf62150"),j=m("mef5322"),h=m("m962097"),S=m("mc2cfc0");function d({story:c,commit:f},{stories:$}){if(c===void 0)return[];if(c.ends==="blocked")return[D(c)];const y=(0,h.TN)(($&&(0,J.zv)($,c.id)?.title)??""),T=(0,S.p6)(c),P=(0,S.aJ)(T)?`; ${(0,S.is)(T)}`:"",A=f===null?", without a commit because nothing had to be changed":"";return[(0,h.n8)(`${c.id} has passed${A}: ${y}${P}`,"good")]}function D({id:c,kind:f,why:$}){return(0,h.n8)(`${c} is blocked (${f}): ${(0,h.TN)($)}`,"warn")}function E({id:c,before:f,others:$}){const y=f.filter(({green:nt})=>!nt).length,T=y===0?"":", which its work has to turn green",P=(0,h.n8)(`${c} before it begins: ${y} of ${(0,j.hS)(f.length,"command")} red${T}`,"dim");if($===void 0)return[P];const A=`${$.red.length} of ${(0,j.hS)($.asked,"command")}`,U=$.red.slice(0,i).map(({story:nt,run:n})=>(0,h.TN)(`${nt}: ${n}`)),V=$.red.length-U.length,Y=`: ${U.join("; ")}${V>0?` and ${V} more`:""}`,N=$.red.length===0?"":`${Y}. This is not held against ${c}`,q=$.red.length===0?"dim":"warn";return[...f.length===0?[]:[P],(0,h.n8)(`${c} before it begins: ${A} of stories that have passed red${N}`,q)]}const i=5;function F({id:c,patch:f}){return f===null?[]:[(0,h.n8)(`${c}: its unfinished work is out of the work tree, in ${f} of the loop's folder`,"warn")]}function M(c,f){const $=`${(0,h.TN)(c.file)} was changed during a turn, by the agent or somebody else, and is put back: ${(0,x.G)(c,f)}`;return(0,h.n8)($,"warn")}function l({id:c,ruling:f,by:$,words:y}){const T=y===null?"":`: ${(0,h.TN)(y)}`;return(0,h.n8)(`${c} is ${f==="accept"?"accepted":"to be tried again"}, says ${(0,h.TN)($)}${T}`,"strong")}function k({stories:c},{stories:f}){if(c===void 0||f===null)return[];const $=f.records.filter(({state:T,gone:P})=>T==="passed"&&!P),y=(T,P,A="warn")=>P.length===0?[]:[(0,h.n8)(`${T}: ${L(P.map(({id:U})=>U))}`,A)];return[(0,h.n8)(`stories of ${c.prd}: ${(0,j.zD)(c.stories.length)}, of which ${(0,j.zD)($.length)} have passed`),...y("passed by the file alone, not proved here",$.filter(({passing:T})=>T?.how==="taken_over")),...y("changed since they passed, and wait for retry",$.filter(({changed:T})=>T)),...y("no longer in the PRD",f.records.filter(({gone:T})=>T),"dim")]}const v=20;function L(c){const f=c.length-v;return`${c.slice(0,v).join(", ")}${f>0?` and ${f} more`:""}`}function I({state:c,prd:f}){const $=storiesReport(c,f);if($===null)return[];const y=activeText($),{rows:T,rest:P}=shownStories($.stories);return[line(`PRD ${$.prd}: ${tallyText($)}.`,"strong"),...y===void 0?[]:[line(`Story at work: ${y}`)],...Z(T),...P===""?[]:[line(`  … ${P}`,"dim")],...$.undone.map(A=>M(A,c.artifacts.dir))]}function Z(c){return c.map(f=>line(tt(f),et[f.status]))}function tt(c){const f=c.commit===null?"":`; commit ${c.commit.slice(0,7)}`;return`  ${Q(c)} ${c.id} ${shownTitle(c)}: ${standText(c)}${f}`}function Q({status:c}){return hasPassed({status:c})?"[x]":c==="blocked"?"[!]":c==="in_progress"?"[>]":"[ ]"}const et={passed:"good",accepted:"good",taken_over:"plain",blocked:"warn",in_progress:"strong",waiting:"dim",pending:"plain"}}),m382078:((it,X,m)=>{m.d(X,{OD:()=>k,Sd:()=>Z,nM:()=>Q});var J=m("m0b5f83"),x=m("mef5322"),j=m("mf174de"),h=m("mfcb333"),S=m("mc59343"),d=m("m4c721d"),D=m("me07f80"),E=m("m962097"),i=m("mba8df2"),F=m("m9d6e92"),M=m("m3104e1"),l=m("m7358cf");function k(c){const{state:f}=c,$=(0,i.U7)(f),y=T=>T.filter(P=>P!==void 0).map(P=>(0,E.n8)(P,"warn"));return[...y([(0,d.g_)(f),(0,d.mF)(f)]),...$===void 0?[]:[(0,E.n8)($,(0,i.Ge)(f)?"warn":"plain")],...y([(0,d.gy)(f),(0,d.qC)(f),(0,d.W1)(f),(0,d.b9)(f),(0,d.w7)(f)]),...y([(0,l.YM)(c)]),...(0,l.dN)(f).map(T=>(0,E.n8)(`hard_stop_pending: line ${T.line} still wants a person: ${(0,E.TN)(T.text)}`,"warn"))]}function v(c){const{state:f}=c;return[...dangerBanner(c.protection).map($=>line($,"bad")),...L(c),...k(c),...storySummary(c),...I(c),...Z(c).map($=>line($)),line(`Progress: ${progressText(f)}.`),line(`Calls of the agent: ${callsText(f)}.`),line(`Circuit: ${circuitText(f)}.`,f.circuit.state==="CLOSED"?"plain":"warn"),...et(c),line(`Next: ${nextStep(c)}`,"strong")]}function L(c){const{state:f}=c,$=shownStatus(c),y=endingOf(f);if(y===void 0){const A=c.alive?"The loop is running.":"The last run ended without an ending: it was killed, or an error ended it.";return[line(`${f.loop_id}: ${$}. ${A}`,c.alive?"strong":"warn")]}const T=y.outcome.exitCode===0?"good":"warn",P=reasonDetail(y.reason,c.word);return[line(`${f.loop_id}: ${$} (${y.reason.kind}). ${y.outcome.sentence}`,T),...P===""?[]:[line(`  ${P}`,T)]]}function I(c){const{result:f,sentence:$,failing:y}=proofOf(c.state),T=[line($,f==="verified"?"good":"warn")];if(y===null)return T;const P=lastLines(y.tail,15);return P.length>0&&T.push(line(`Last lines of \`${oneLine(checkLabel(y))}\`:`,"dim")),[...T,...P.map(A=>line(`  | ${A}`,"dim"))]}function Z({state:c,word:f}){const{iteration:$,max_iterations:y,spent:T}=c,{tokens:P,input_tokens:A,cached_input_tokens:U,output_tokens:V,resumes:Y}=T,N=(0,i.ON)(c),q=Y>0?`; resumed ${Y===1?"once":`${Y} times`}`:"";return[`Iterations: ${$} of ${y}. Tokens: ${(0,x.zD)(P)} (${(0,x.zD)(A)} in, of which ${(0,x.zD)(U)} cached; ${(0,x.zD)(V)} out).`,`Time: ${(0,x.p0)(T.turn_ms)} in ${(0,x.hS)(T.turns,"turn")}, ${(0,x.p0)(T.check_ms)} in checks${q}.`,...N===void 0?[]:[N],...tt(c).map(f)]}function tt(c){const[f,$]=[(0,S.rs)(c),(0,S.xn)(c)];return f===void 0?c.spent.turns===0?[]:["Cost: unknown; no price of the model is known. --model or --prices would tell."]:[`Cost: ${f}, by list prices of ${h.nx} unless prices or the agent says another${$===void 0?"":`; ${$} at this pace`}.`]}function Q({change:c}){return`Since the loop began: ${(0,D.k0)(c)}.`}function et(c){const f=lastLines(c.change?.stat??"",Number.MAX_SAFE_INTEGER).slice(0,10);return[...c.branch===null?[]:[line(`Branch: ${oneLine(c.branch)}`)],line(Q(c)),...f.map($=>line(`  ${$}`,"dim")),line(`State: ${c.stateFile}`,"dim"),line(`Logs and messages: ${c.folder}`,"dim")]}})};export{Qe as id,Ve as ids,Ze as modules};
//# sourceMappingURL=report-page.js.map
