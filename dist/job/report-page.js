const fn="report-page",hn=["report-page"],pn={mfcb333:((at,F,u)=>{u.d(F,{ho:()=>k,nx:()=>J,xx:()=>I});const J="2026-11-24",O=/-\d{4}-\d{2}-\d{2}$/u;function I(c,N,E){if(c===null)return;const i=c.replace(O,"");return N.get(c)??N.get(i)??E.find(G=>G.model===i)}const h=1e6;function k({input:c,cachedInput:N,output:E},i){const R=Math.max(0,c-N)*i.input+Math.min(N,c)*i.cachedInput+E*i.output;return Math.ceil(Math.round(R*h)/h)}}),m77b224:((at,F,u)=>{u.d(F,{reportPage:()=>rn});var J=u("mf203b1"),O=u("m20624b"),I=u("m0b5f83"),h=u("mef5322"),k=u("me07f80"),c=u("m962097"),N=u("m4c721d"),E=u("m9d6e92"),i=u("m7358cf"),G=u("m3104e1"),R=u("m382078");function d(t){return[...dangerBanner(t.protection).map(e=>line(e,"bad")),v(t),...doubts(t),...storySummary(t),...q(t),line(`Changed: ${nt(t)}`),...rt(t),line(`Took: ${f(t)}${l(t)}`,"dim"),line(`Next: ${nextStep(t)}`,"strong")]}function v(t){const{state:e,alive:o}=t,s=t.isGone===!0?void 0:(0,i.z6)(e),{result:r,sentence:a}=(0,N.oX)(e,"no tests");if(s===void 0)return(0,c.n8)(`– ${(0,c.TN)(e.loop_id)}: ${(0,i.t1)(t)}. ${(0,i.XZ)(t)}${o?"":` ${a}`}`,o?"strong":"warn");const{outcome:m,reason:p}=s,_=(0,E.k)(p,t.word),x=m.exitCode===0,w=_===""||C(p.kind)?[]:[/[.!?"]$/u.test(_)?_:`${_}.`],L=[m.sentence,...w,a],U=`${x&&r!=="unchecked"?"✓":x||S.test(m.status)?"–":"✗"} ${(0,c.TN)(e.loop_id)}: ${(0,i.t1)(t)} (${p.kind}). ${L.join(" ")}`;return(0,c.n8)(U,x?r==="unchecked"?"warn":"good":"warn")}const S=/^(?:paused_|waiting$|canceled$)/u;function C(t){return t==="success_command"||t==="already_green"}const j=5;function q({state:t}){const{failing:e}=proofOf(t);if(e===null)return[];const o=t.baseline?.failing_count,s=o===void 0?"":` (${o} at the start)`,{failing:r}=t;if(r===null||r.failing_count===0){const x=oneLine(whyRed(e));return[line(`Failing: ${oneLine(checkLabel(e))}${x===""?"":`: ${x}`}`,"bad")]}const a=r.failing.slice(0,j).map(x=>cut(oneLine(x),100)),m=r.failing_count-a.length,p=m>0?` and ${m} more`:"",_=a.length===0?failedTests(e):`${a.join(", ")}${p}`;return[line(`Failing: ${counted(r.failing_count,"test")}${s}: ${_}`,"bad")]}function nt({change:t,branch:e,state:o}){const r=(t?.stat??"").split(`
`).map(_=>oneLine(_.replace(/ \| .*$/u,""))).filter(_=>_!=="").slice(0,j),a=(t?.files??0)-r.length,m=a>0?` and ${a} more`:"",p=o.iterations.findLast(_=>_.commit!==null)?.commit;return[`${changeText(t)}${r.length===0?"":`: ${r.join(", ")}${m}`}`,...e===null?[]:[`on ${oneLine(e)}`],...p==null?[]:[`last commit ${p.slice(0,12)}`]].join(", ")}const Y=/<promise>|^[A-Z_]{3,}:|^-{3,}/u;function rt({state:t}){const e=(t.last_turn?.summary??"").replace(/^NOTES:[^]*/mu,""),s=lastLines(e,Number.MAX_SAFE_INTEGER).map(oneLine).findLast(r=>r!==""&&!Y.test(r));return s===void 0?[]:[line(`Agent: "${cut(plainText(s),160)}"`)]}function l({state:t}){const e=t.status==="completed"||t.status==="canceled"?void 0:forecastText(t);return e===void 0?"":`; ${e} at this pace`}function f({state:t}){const{iteration:e,max_iterations:o,spent:s}=t,r=duration(s.turn_ms+s.check_ms),a=costOrNone(t),m=[r,counted(s.tokens,"token"),...a===void 0?[]:[a]].join(", ");return`${grouped(e)} of ${counted(o,"iteration")}, ${m}`}const $=60,y=new Map([["completed","good"],["running","strong"],["canceled","dim"]]);function T(t){return t.toSorted((e,o)=>Date.parse(o.state.updated_at)-Date.parse(e.state.updated_at))}function D(t,e){const o=t.map(r=>({texts:B(r,e),status:r.status})),s=r=>Math.max(...o.map(({texts:a})=>String(a[r]).length));return o.map(({texts:r,status:a})=>{const m=r.map((p,_)=>p.padEnd(s(_))).join("  ");return line(m.trimEnd(),y.get(a)??"plain")})}function B({state:t,status:e,where:o},s){const r=duration(Math.max(0,s-Date.parse(t.updated_at))),a=t.stories===null?firstLine(t.prompt.trim()):`PRD ${t.stories.prd}`,m=oneLine(a),p=oneLine(t.loop_id);return[o===""?p:`${p} (in ${oneLine(o)})`,e,`${t.iteration} of ${t.max_iterations}`,`${r} ago`,m.length>$?`${m.slice(0,$)}…`:m]}var z=u("mc2cfc0"),Z=u("maf4b51"),tt=u("md3f2d5");class M{text;constructor(e){this.text=e}}function et(t){return(0,c.wh)(t).replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;").replaceAll('"',"&quot;").replaceAll("'","&#39;")}function it(t){return t==null||t===!1?"":t instanceof M?t.text:typeof t=="string"?et(t):typeof t=="number"?String(t):t.map(it).join("")}function n(t,...e){return new M(t.map((o,s)=>o+it(e[s])).join(""))}function g(t){const e=t.split(/`([^`]+)`/u);return n`${e.map((o,s)=>s%2===0?o:n`<code>${o}</code>`)}`}function b(t,e="",o){return[`i${t}`,...e===""?[]:[e],...o===void 0?[]:[o]].join("-")}const X={good:["✓","passed"],bad:["✗","failed"],open:["–","not proved"]};function Q(t){const[e,o]=X[t];return n`<span class="mark ${t}" aria-hidden="true">${e}</span><span class="hidden">${o}:</span> `}function A(t,e,o,s="fold"){return n`<details class="${s}">
    <summary>${e}</summary>
    <div id="${t}" class="folded">${o}</div>
  </details>`}function K(t,e){return n`<pre tabindex="0" role="region" aria-label="${e}">${t}</pre>`}function ot(t,e,o){return new M(`<pre id="${t}" tabindex="0" role="region" aria-label="${et(o)}">${et(e)}</pre>`)}function st(t,e){return n`<button type="button" data-copy="${t}" hidden>Copy<span class="hidden"> ${e}</span></button>`}function ct(t,e,o){return n`<div class="copyable">${ot(t,e,o)}${st(t,o)}</div>`}const mt="http://www.w3.org/2000/svg",ft=new Set(["aria-label","aria-description","style"]);class ht{#t;constructor(e){this.#t=e}get text(){return et(this.#t)}}class lt{namespaceURI=mt;localName;ownerDocument;childNodes=[];#t=new Map;constructor(e,o){this.localName=e,this.ownerDocument=o}setAttribute(e,o){this.#t.set(e,String(o))}removeAttribute(e){this.#t.delete(e)}appendChild(e){return this.childNodes.push(e),e}insertBefore(e){return this.appendChild(e)}set textContent(e){this.childNodes.splice(0,1/0,new ht(String(e)))}get text(){if(this.localName==="style")return"";const o=[...this.#t].filter(([s])=>!ft.has(s)).map(([s,r])=>` ${s}="${et(r)}"`).join("");return`<${this.localName}${o}>${this.childNodes.map(({text:s})=>s).join("")}</${this.localName}>`}}class wt{documentElement=new lt("html",this);createElementNS(e,o){return new lt(o,this)}}function _t(t,e){const o=[t(new wt)].filter(s=>s instanceof lt);for(const s of o)for(const[r,a]of Object.entries(e))s.setAttribute(r,a);return new M(o.map(({text:s})=>s).join(""))}const Et=150,bt=t=>()=>({name:t,one:1}),Ht=[{name:"hours",one:36e5},{name:"minutes",one:6e4}];function Ft(t){const e=Math.max(...t.map(({time:o})=>o));return Ht.find(({one:o})=>e>=2*o)??{name:"seconds",one:1e3}}function Gt(t){const e=t.checks.reduce((o,{durationMs:s})=>o+s,0);return{iteration:t.iteration,failing:t.failing,tokens:t.usage===null?null:(0,tt.RP)(t.usage),cost:t.cost,time:t.turn_ms+e,added:t.change?.added??null,removed:t.change?.removed??null}}function Xt(t){const e=Math.ceil(t.length/Et);return t.flatMap((o,s)=>{if(s%e!==0)return[];const r=t.slice(s,s+e),a=m=>xt(r.map(m));return{from:o.iteration,to:r.reduce((m,{iteration:p})=>p,o.iteration),failing:r.reduce((m,{failing:p})=>p??m,null),tokens:a(({tokens:m})=>m),cost:a(({cost:m})=>m),time:r.reduce((m,{time:p})=>m+p,0),added:a(({added:m})=>m),removed:a(({removed:m})=>m)}})}function xt(t){return t.reduce((e,o)=>o===null?e:o+(e??0),null)}const Jt="–",dt=(t,e)=>t===null?Jt:e(t),Qt=[{id:"chart-failing",name:"Failing tests after each iteration",unit:bt("failing tests"),shape:"line",sentence:t=>{const e=t.flatMap(({failing:o})=>o===null?[]:[o]);return`From ${e[0]} after the first count to ${e.at(-1)} after the last; at most ${Math.max(...e)}.`},columns:[["Failing tests",({failing:t})=>dt(t,h.zD)]],values:[({failing:t})=>t]},{id:"chart-time",name:"Time of each iteration",unit:Ft,shape:"bars",sentence:t=>`${kt(t,({time:e})=>e,h.p0)}, turn and checks together.`,columns:[["Time",({time:t})=>(0,h.p0)(t)]],values:[({time:t})=>t]},{id:"chart-tokens",name:"Tokens and cost of each iteration",unit:bt("tokens"),shape:"bars",sentence:t=>`${kt(t,({tokens:e})=>e,e=>(0,h.hS)(e,"token"))}.`,columns:[["Tokens",({tokens:t})=>dt(t,h.zD)],["Cost",({cost:t})=>dt(t,h.dR)]],values:[({tokens:t})=>t]},{id:"chart-lines",name:"Lines changed in each iteration",unit:bt("lines added ↑ removed ↓"),shape:"bars",sentence:t=>`${(0,h.zD)(Ot(t,({added:e})=>e))} lines added and ${(0,h.zD)(Ot(t,({removed:e})=>e))} removed over all iterations shown; what was removed is below the line.`,columns:[["Added",({added:t})=>dt(t,h.zD)],["Removed",({removed:t})=>dt(t,h.zD)]],values:[({added:t})=>t,({removed:t})=>t===null?null:-t]}];function Ot(t,e){return Number(xt(t.map(e)))}function kt(t,e,o){const s=Math.max(...t.map(a=>Number(e(a))));return t.filter(a=>Number(e(a))===s).slice(0,1).map(a=>`Most in ${Vt(a)}: ${o(s)}`).join("")}function Vt({from:t,to:e}){return t===e?`iteration ${t}`:`iterations ${t} to ${e}`}function Yt(t){const e=Xt(t.map(Gt)),o=Qt.filter(({values:s})=>e.some(r=>s.some(a=>Number(a(r))!==0)));return t.length<2||o.length===0?n`<p>There is too little to draw yet.</p>`:n`<div class="charts">${o.map(s=>Zt(s,e,t.length))}</div>`}function Zt(t,e,o){const{id:s,name:r,sentence:a,columns:m}=t,p=Math.ceil(o/Et),_=p>1?` Each ${t.shape==="line"?"point":"bar"} stands for ${p} iterations in a row.`:"";return n`<figure class="chart" aria-labelledby="${s}">
    <figcaption>
      <h3 id="${s}">${r}</h3>
      <p id="${s}-says">${a(e)}${_}</p>
    </figcaption>
    ${ae(t,e)}
    <details>
      <summary>Table<span class="hidden">: ${r}</span></summary>
      <div class="wide" tabindex="0" role="region" aria-label="${r}, as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">Iteration</th>
              ${m.map(([x])=>n`<th scope="col">${x}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${e.map(x=>n`<tr>
                  <th scope="row">${x.from===x.to?x.from:`${x.from} to ${x.to}`}</th>
                  ${m.map(([,w])=>n`<td>${w(x)}</td>`)}
                </tr>`)}
          </tbody>
        </table>
      </div>
    </details>
  </figure>`}const qt=10;function te(t){const e=Math.ceil(t.length/qt);return t.flatMap(({from:o},s)=>s%e===0?[o]:[])}const pt={width:440,height:190,marginLeft:60,marginRight:12,marginTop:24,marginBottom:38},ee=48,ne=5,oe=1e5,se=new Intl.NumberFormat("en-US",{notation:"compact"}),re=60;function ie(t){const[e,o]=[Math.floor(Math.min(0,...t)),Math.ceil(Math.max(0,...t))],s=Math.min(ne,o-e);return{domain:[e,o],nice:s,ticks:s,grid:!0,tickFormat:a=>Math.abs(a)<oe?(0,h.zD)(Math.abs(a)):se.format(Math.abs(a))}}function ae({id:t,unit:e,values:o,shape:s},r){const a=({from:P,to:V})=>(P+V)/2,{name:m,one:p}=e(r),_=o.map(P=>V=>{const H=P(V);return H===null?null:H/p}),x=(pt.width-pt.marginLeft-pt.marginRight)/r.length,w=Math.max(.5,(x-ee)/2),L=_.flatMap((P,V)=>{const H=r.filter(ut=>P(ut)!==null),yt={className:V===0?"series":"series other"};return s==="line"?[(0,Z.Mu)(H,{x:a,y:P,...yt}),(0,Z.Om)(H.length>re?[]:H,{x:a,y:P,r:3,fill:"currentColor",...yt})]:(0,Z.aT)(H,{x1:({from:ut})=>ut-.5,x2:({to:ut})=>ut+.5,y:P,insetLeft:w,insetRight:w,...yt})}),W={label:"iteration",ticks:te(r),tickFormat:String},U={label:m,...ie(_.flatMap(P=>r.map(V=>Number(P(V)))))};return _t(P=>(0,Z.QI)({...pt,document:P,x:W,y:U,marks:[(0,Z.OJ)([0]),...L]}),{role:"img","aria-labelledby":`${t} ${t}-says`,class:"plot"})}var ce=u("mf7f4e2"),le=u("md2c297"),vt=u("mc59343"),de=u("me34b18"),ue=u("m657e20"),me=u("m521ef3"),fe=u("m5002c5"),he=u("m208c25"),Pt=u("mf174de");async function*pe(t){let e,o;for await(const s of t){const r=e?.phase==="settled"&&ge(s)?e.last_turn:null;if(e!==void 0&&r!==null){const p=_e(r,e.plan,o);yield{iteration:e.iteration,lines:[(0,c.n8)(`  decided: go on, because ${p}`,"strong")]}}e=(0,he.k)(e,s),s.type==="turn_started"&&(o=void 0),s.type==="proved"&&(o=s);const m=[...(0,k.Cl)(s,e),...Te(s,e)].map(({text:p,tone:_})=>(0,c.n8)(`  ${p}`,_));yield{iteration:e.iteration,lines:[...$e(s),...m]}}}function $e(t){return t.type==="turn_started"?[(0,c.n8)(""),(0,c.n8)(`Iteration ${t.iteration}, ${t.at}`,"strong")]:[]}function ge({type:t}){return t==="turn_started"||t==="wait_started"}function _e(t,e,o){const{failure:s,claim:r}=t;if(s!==null)return`its turn failed (${s.kind}), and no rule ends it for that yet`;const a=(o?.verdict.checks??[]).filter(be).map(m=>(0,c.TN)((0,I.v8)(m)));return a.length>0?`${a.join(", ")} ${a.length===1?"is":"are"} red`:(0,me.vF)(r,e)?(0,fe.pZ)(o?.weaknesses??[]).length>0?"the proof is weak":"its claim does not count, and no other rule ends it":"the agent does not claim to be done, and no other rule ends it"}function be({exitCode:t,timedOut:e}){return t!==0||e}function Te(t,e){return t.type==="loop_stopped"?[we(t.reason),...ye(t.reason)]:t.type!=="settled"?[]:[(0,c.n8)(`progress: ${(0,Pt.l_)(e)}`,"dim"),(0,c.n8)(`circuit: ${(0,Pt.l9)(e)}`,"dim")]}function ye(t){const e=(0,E.k)(t,o=>o);return e===""?[]:[(0,c.n8)(`evidence: ${e}`)]}function we({kind:t}){return(0,c.n8)(`decided: stop, by the rule ${t} (${Ee[t]})`,"strong")}const Ee={promise:"POST 7",done_token:"POST 7",dual_gate:"POST 7",exit_signal:"POST 7",plan_complete:"POST 7, PRE 6",success_command:"POST 5",already_green:"PRE 6",stories_passed:"POST 6",story_review:"POST 9",story_blocked:"POST 6",stories_blocked:"POST 6",hard_stop:"POST 9, POST 4b, PRE 5",paused:"PRE 3",stopped:"PRE 3, POST 1",canceled:"PRE 2, POST 1",superseded:"PRE 1, POST 1",time_budget:"PRE 10, POST 13",max_iterations:"PRE 8, POST 12",tokens:"PRE 9, POST 13",total_time:"PRE 9, POST 13",agent_blocked:"POST 10",permission_denied:"POST 8",question:"section 4.5",unfinished:"POST 7b",proof_accepted:"PRE 5a",weak_proof:"POST 7a",reviewer_vetoes:"POST 7c",protected_paths:"POST 4a",too_large:"POST 4a",flaky:"PRE 6, POST 4d",not_reproduced:"PRE 6, POST 4c",head_moved:"POST 1a",no_progress:"POST 11, PRE 7",same_error:"POST 11, PRE 7",test_loops:"POST 11, PRE 7",missing_status:"POST 11, PRE 7",rate_limit:"POST 3, PRE 11",usage_limit:"POST 3, PRE 11",calls_per_hour:"PRE 11",tokens_per_day:"PRE 11",auth:"POST 2",config:"POST 2",sandbox_broken:"POST 2",provider:"POST 4",gate_unrunnable:"section 4.5",commit_refused:"section 4.5",carriers_unreachable:"PRE 1"};var xe=u("m2646c1");const Oe=1e7,ke=200,ve={item:null,checks:[],cost:null,failing:null};async function Pe(t,e=Oe){const o=new Map,s=Se(o,e),r=[];let a=[],m=null,p;const _=w=>{p=w,w.type==="turn_started"&&(a=[]);const{open:L,closed:W}=(0,xe.X)(m,w);m=L;for(const P of[W,L]){if(P===null)continue;const V=o.get(P.iteration),H=V===void 0||w.type==="turn_started"&&P===L;o.set(P.iteration,H?{...ve,told:V?.told??[],meta:P}:{...V,meta:P})}const U=o.get((L??W)?.iteration??0);U!==void 0&&(w.type==="turn_started"&&w.item.id!==ue.YD&&(U.item=w.item.title),w.type==="turn_ended"&&(U.cost=w.cost??null),w.type==="proved"&&(U.checks=w.verdict.checks,U.failing=w.failing?.failing_count??(w.verdict.result==="passed"?0:null),s(U)))};for await(const{iteration:w,lines:L}of pe(Ne(t,_))){const W=L.map(H=>({...H,text:H.text.trim()})).filter(({text:H})=>H!=="");p?.type==="loop_stopped"&&(a=W);const U=p?.type==="turn_ended"?p.iteration:w,P=o.get(U)?.told??r,V=W.filter(({text:H})=>!/^Iteration \d+, /u.test(H));P.push(...V.slice(0,Math.max(0,ke-P.length)))}return{iterations:[...o.values()].map(({meta:w,...L})=>({...w,...L})),before:r,ending:a}}async function*Ne(t,e){for await(const o of t)e(o),yield o}function Se(t,e){let o=0;return s=>{o+=Nt(s);for(const r of t.values()){if(o<=e||r===s)return;o-=Nt(r),r.checks=r.checks.map(a=>({...a,tail:""}))}}}function Nt({checks:t}){return t.reduce((e,{tail:o})=>e+o.length,0)}function St(t){return`${new Date(t).toISOString().slice(0,19).replace("T"," ")} UTC`}function De({exitCode:t,timedOut:e}){return t===0&&!e}function Me(t){const e=t.timedOut?"timed out":t.exitCode===null?"did not end":`exit ${t.exitCode}`,o=t.tests===null||t.tests.failed===0?[]:[`${(0,h.hS)(t.tests.failed,"test")} failed`];return`${(0,c.TN)((0,I.v8)(t))}: ${[e,(0,h.p0)(t.durationMs),...o].join(", ")}`}function Dt(t){const{agent:e,change:o,failing:s,checks:r,verdict:a,usage:m,cost:p}=t,_=t.turn_ms+r.reduce((x,{durationMs:w})=>x+w,0);return[...e===null?["its turn has not ended"]:e==="ok"?[]:[`turn: ${e.replaceAll("_"," ")}`],Le[a],...s===null||s===0?[]:[`${(0,h.hS)(s,"test")} failing`],...o===null?[]:[`${(0,h.hS)(o.files,"file")} +${o.added} −${o.removed}`],..._===0?[]:[(0,h.p0)(_)],...m===null?[]:[(0,h.hS)((0,tt.RP)(m),"token")],...p===null?[]:[(0,h.dR)(p)]].join(" · ")}const Le={passed:"checks passed",failed:"checks failed",cut_off:"checks cut off",unrunnable:"a check could not run",none:"not checked"};function Mt({verdict:t,agent:e}){return t==="passed"?"good":t==="none"&&(e==="ok"||e===null||e==="abandoned")?"open":"bad"}function Re(t,{ending:e},o){return n`${Ie(t)}${je(t)}
    <section aria-labelledby="next">
      <h2 id="next">What you have to do</h2>
      ${Ae(t)}
    </section>
    <section aria-labelledby="rule">
      <h2 id="rule">What stopped it</h2>
      ${Ue(t,e)}
    </section>
    <section aria-labelledby="tests">
      <h2 id="tests">Failing tests</h2>
      ${ze(t)}
    </section>
    <section aria-labelledby="files">
      <h2 id="files">Files changed</h2>
      ${Fe(t)}
    </section>
    <section aria-labelledby="took">
      <h2 id="took">Time, tokens, cost</h2>
      ${Ge(t)}
    </section>
    <section aria-labelledby="strip">
      <h2 id="strip">Iterations at a glance</h2>
      ${Xe(o)}
    </section>`}function Ie({protection:t}){const e=(0,de.o)(t);return n`${e.length>0&&n`<aside class="danger" aria-label="Warning">
      <p>Warning: run this only where nothing is of value.</p>
      ${$t(e)}
    </aside>`}`}function $t(t){return n`<ul>
    ${t.map(e=>n`<li>${e}</li>`)}
  </ul>`}const Ce={good:"good",bad:"bad",warn:"warn"};function je(t){const{state:e}=t,{text:o,tone:s}=v(t),[r="",...a]=o.split(". "),m=`${r}.`,p=(0,N.Yw)(e),_=e.iterations.findLast(L=>L.commit!==null)?.commit??null,x=[["Command",p===null||p.checks.length===0?"none":p.checks.map((L,W)=>n`${W>0&&", "}<code>${(0,c.TN)((0,I.v8)(L))}</code>`)],["Commit",_===null?"none":n`<code>${_.slice(0,12)}</code>`],["Iteration",`${(0,h.zD)(e.iteration)} of ${(0,h.zD)(e.max_iterations)}`],...t.branch===null?[]:[["Branch",n`<code>${(0,c.TN)(t.branch)}</code>`]]],w=(0,R.OD)(t);return n`<section aria-labelledby="verdict" class="verdict ${s in Ce?s:"plain"}">
    <h1 id="verdict"><span class="how">${g(m)}</span> <span class="why">${g(a.join(". "))}</span></h1>
    <dl class="facts">
      ${x.map(([L,W])=>n`<div>
            <dt>${L}</dt>
            <dd>${W}</dd>
          </div>`)}
    </dl>
    ${w.length>0&&$t(w.map(L=>g(L.text)))}
  </section>`}function Ae(t){const e=(0,i.sk)(t),o=We(t,e),s=(0,i.z6)(t.state)?.outcome.resumableBy==="nobody",r=o!==void 0&&e.endsWith(`: ${o}`)?e.slice(0,-o.length):e;return n`<p>${s&&n`<strong>Nothing</strong> to start or to answer. `}${g(r)}</p>
    ${o!==void 0&&ct("resume",o,"the command")}`}const Be=/^(?:(?:waylon-)?smithers|daedalus) /u;function We({resume:t},e){return Be.test(t)&&e.includes(t)?t:/\/smithers prd [\w.-]+ (?:retry|accept) US-[\d-]+/u.exec(e)?.[0]}function Ue(t,e){if((0,i.z6)(t.state)===void 0)return n`<p>
      ${t.alive?"Nothing: it is running.":"No rule: its run was killed, or an error ended it."}
    </p>`;const o=e.length===0?[(0,i.O4)(t)]:e.map(({text:s})=>s);return $t(o.map(g))}const gt=5;function ze({state:t}){const{baseline:e,failing:o}=t,{failing:s}=(0,N.oX)(t),r=o??(s===null?{failing:[],failing_count:0}:null);return n`<div class="pair">
    <div>
      <h3>At the start</h3>
      ${Lt(e)}
    </div>
    <div>
      <h3>Now</h3>
      ${Lt(r)}
    </div>
  </div>`}function Lt(t){if(t===null)return n`<p>Not known.</p>`;const{failing:e,failing_count:o}=t;if(o===0)return n`<p>None.</p>`;const s=e.map(a=>n`<li><code>${(0,c.Jj)((0,c.TN)(a),300)}</code></li>`),r=o-e.length;return n`<p>${(0,h.hS)(o,"test")}</p>
    <ul>
      ${s.slice(0,gt)}
    </ul>
    ${s.length>gt&&n`<details>
        <summary>${s.length-gt} more</summary>
        <ul>
          ${s.slice(gt)}
        </ul>
      </details>`}${r>0&&n`<p>${(0,h.hS)(r,"more test")} without a name here.</p>`}`}const Ke=/^(?<path>.*) \| (?<counts>.*)$/u;function He({stat:t}){return t.split(`
`).flatMap(o=>{const{path:s,counts:r}=Ke.exec(o)?.groups??{};return s===void 0||r===void 0?[]:[{path:s,counts:r.replace("-","−"),kind:(0,ce.t7)(s)?"CI":(0,le.MQ)(s)?"test":""}]}).toSorted((o,s)=>+(o.kind==="")-+(s.kind===""))}function Fe({change:t}){if(t===null)return n`<p>Not known: nothing is measured here, or the loop's files were cleaned away.</p>`;if(t.files===0)return n`<p>None.</p>`;const e=He(t),o=t.files-e.length,s=e.some(({kind:r})=>r!=="");return n`<p>
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
          ${e.map(({path:r,kind:a,counts:m})=>n`<tr>
                <td><code>${(0,c.TN)(r)}</code></td>
                ${s&&n`<td>${a}</td>`}
                <td>${(0,c.TN)(m)}</td>
              </tr>`)}
        </tbody>
      </table>
    </div>
    ${o>0&&n`<p>${(0,h.hS)(o,"more file")}.</p>`}`}function Ge(t){const{state:e}=t,{spent:o}=e,s=e.status==="completed"||e.status==="canceled"?void 0:(0,vt.xn)(e),r=[["Time",(0,h.p0)(o.turn_ms+o.check_ms)],["Tokens",(0,h.zD)(o.tokens)],["Cost",(0,vt.vQ)(e)??"–"],...s===void 0?[]:[["Still needed",`${s} at this pace`]]];return n`<dl class="facts">
      ${r.map(([a,m])=>n`<div>
            <dt>${a}</dt>
            <dd>${m}</dd>
          </div>`)}
    </dl>
    <details>
      <summary>In detail</summary>
      ${$t((0,R.Sd)(t).map(g))}
    </details>`}function Xe(t){if(t.length===0)return n`<p>No iteration has begun.</p>`;const e=t.length>Qe,[o,s]=[t[0],t.at(-1)];return n`<ol class="strip${e&&" dense"}">
      ${t.map(r=>n`<li>
            <a href="#${b(r.iteration)}" title="${Dt(r)}"
              >${Q(Mt(r))}<span class="hidden">iteration </span><span class="number">${r.iteration}</span></a
            >
          </li>`)}
    </ol>
    <p class="legend">
      ✓ checks passed · ✗ failed · –
      not${Je}checked${e&&` · from iteration ${o?.iteration} to ${s?.iteration}, in their order`}
    </p>`}const Je=" ",Qe=60;function Rt(t,e){const{iteration:o,item:s}=t;return n`<details class="iteration searched">
    <summary>
      ${Q(Mt(t))}<strong>Iteration ${o}</strong> · ${s!==null&&`${(0,c.Jj)((0,c.TN)(s),120)} · `}
      ${Ve(Dt(t))}
    </summary>
    <div id="${b(o)}" class="folded">${e}</div>
  </details>`}function Ve(t){return t.replaceAll(/(?<!·) (?!·)/gu," ")}function Ye(t,e,o){const{iteration:s,commit:r,checks:a,told:m,started_at:p}=t,{prompt:_,changes:x,message:w}=e,L=_===null&&x===null&&e.checks===null,W=b(s);return n`<p class="dim">
      Began ${St(p)}${r!==null&&n`, commit <code>${r.slice(0,12)}</code>`} ·
      <a href="#${W}">#${W}</a>
    </p>
    <ul>
      ${m.map(({text:U})=>n`<li>${(0,c.Jj)(U,qe)}</li>`)}
    </ul>
    ${a.map((U,P)=>tn(s,U,P+1))}
    ${o&&L&&Ze} ${Tt(s,"output","All that the checks said",e.checks)}
    ${o&&[nn(s,x),Tt(s,"prompt","Prompt",_),Tt(s,"message","Last message of the agent",w)]}`}const Ze=n`<p class="note">
  Its prompt, its diff and all that its checks said are not kept: only those of the last 50 iterations are.
</p>`,qe=1e3;function tn(t,e,o){const s=(0,c.TN)((0,O.T9)(e)),r=`end of the output of check ${o} of iteration ${t}`,a=e.tail.trim()===""?n`<p>No output is kept here.</p>`:K(e.tail,r);return A(b(t,"check",o),n`${Q(De(e)?"good":"bad")}${Me(e)}`,n`${s!==""&&n`<p>${s}</p>`}${a}`)}function Tt(t,e,o,s){if(s===null||s.text==="")return null;const r=`${o}, iteration ${t}`;return A(b(t,e),o,n`${It(s)}${K(s.text,r)}`)}function It({leftOut:t,part:e}){return t===0?null:n`<p class="note">
        Only its ${e} is shown: ${(0,h.zD)(t)} bytes are left out here, and in the loop's folder.
      </p>`}const en=[[/^(?:diff |index |--- |\+\+\+ |\[cut: )/u,"head"],[/^@@/u,"at"],[/^\+/u,"add"],[/^-/u,"cut"]];function nn(t,e){if(e===null||e.text==="")return null;const o=e.text.split(`
`).map(r=>{const a=en.find(([m])=>m.test(r))?.[1];return[a===void 0?r:n`<span class="${a}">${r}</span>`,`
`]}),s=n`<pre class="diff" tabindex="0" role="region" aria-label="Changes, iteration ${t}">${o}</pre>`;return A(b(t,"changes"),"Changes",n`${It(e)}${s}`)}const Ct=String.raw`"use strict";
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
      const fold = source.closest("details");
      if (fold !== null) fold.open = true;
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
  const plain = (text) => text.replace(/\s+/gu, " ").trim().toLowerCase();
  const textOf = (row) => {
    if (!texts.has(row)) texts.set(row, plain(row.textContent));
    return texts.get(row);
  };
  let waiting;
  const search = () => {
    const words = plain(field.value);
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
`,jt=`
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
h1 { font-size: 1.25rem; line-height: 1.4; margin: 0 0 .75rem; }
h1 .how { display: block; margin-bottom: .25rem; } h1 .why { font-size: 1rem; font-weight: normal; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p, ul, ol { margin: .5rem 0; } ul { padding-left: 1.25rem; }
a { color: var(--link); }
code, pre { font-family: ui-monospace, monospace; font-size: .875rem; } h1 code { font-size: .9em; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: .375rem; margin: .5rem 0; padding: .75rem;
  max-height: 30rem; overflow: auto; white-space: pre-wrap; }
.verdict { background: var(--panel); border-left: .375rem solid var(--line); padding: 1rem; }
.verdict.good { border-color: var(--good); }
.verdict.warn { border-color: var(--warn); }
.verdict.bad { border-color: var(--bad); }
.danger { border: .25rem double var(--bad); padding: 0 1rem; margin-bottom: 1rem; }
.facts { display: grid; gap: .25rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); margin: .5rem 0; }
.facts dt, .legend, .dim, .note { color: var(--dim); } .facts dd { margin: 0; }
.pair { display: grid; gap: 0 1.5rem; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); }
.copyable { display: flex; gap: .5rem; align-items: flex-start; margin: .5rem 0; }
.copyable pre { flex: 1; min-width: 0; margin: 0; }
button { font: inherit; min-height: 2.75rem; padding: .25rem 1rem; color: var(--text); background: var(--ground);
  border: 1px solid var(--line); border-radius: .375rem; }
input { font: inherit; width: 100%; min-height: 2.5rem; padding: .25rem .5rem; color: var(--text); background: var(--ground);
  border: 1px solid var(--line); border-radius: .375rem; }
:focus-visible { outline: .1875rem solid var(--link); outline-offset: .125rem; }
.wide { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; } th, td { border-bottom: 1px solid var(--line); padding: .25rem .75rem .25rem 0;
  text-align: left; vertical-align: top; } td code { white-space: pre-wrap; }
th, td + td { overflow-wrap: normal; white-space: nowrap; }
.strip { display: grid; grid-template-columns: repeat(auto-fill, minmax(3.5rem, 1fr)); gap: .25rem; list-style: none;
  padding: 0; } .strip.dense { grid-template-columns: repeat(auto-fill, minmax(1.75rem, 1fr)); }
.strip.dense .number { position: absolute; clip-path: inset(50%); } .strip.dense .mark { margin: 0; }
.strip a { display: block; padding: .25rem 0; text-align: center; text-decoration: none;
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
.charts { display: grid; gap: 0 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); }
.chart { margin: 1rem 0; min-width: 0; } .chart h3 { margin-top: 0; }
.chart .wide { margin: .5rem 0; max-height: 20rem; overflow: auto; }
.plot { display: block; height: auto; width: 100%; max-width: 40rem; color: var(--text); background: var(--ground); }
.plot text { white-space: pre; fill: var(--text); font-size: 12px; }
.plot .series { fill: var(--link); } .plot .series path { fill: none; stroke: var(--link); stroke-width: 2; }
.plot .series.other { fill: var(--dim); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:not(:focus) { position: absolute; left: -100rem; }
footer { margin-top: 3rem; color: var(--dim); border-top: 1px solid var(--line); }
@media (forced-colors: active) { .strip a, .iteration, pre { border-color: CanvasText; } .plot .series { fill: LinkText; } }
@media print { button, #search { display: none; } pre { max-height: none; } }
`,on=1e7,At=2e3,sn=500;async function rn(t,e=on){const{view:o,withTexts:s}=t,r=await Pe(t.events),a=r.iterations.slice(-At),p={top:Re(o,r,a),charts:Yt(a),agent:cn(t,r),stories:ln(o)},_=a.map(P=>Rt(P,Bt)),x=Wt(Kt(o,p,[Ut(r),..._],s)),w=await an(t,a,e-x),L=a.map(P=>Rt(P,w.get(P.iteration)??Bt)),W=r.iterations.length-a.length,U=W>0&&n`<p>
      ${(0,h.hS)(W,"earlier iteration")} are not on this page: it shows the last ${(0,h.zD)(At)}.
    </p>`;return Kt(o,p,[n`${U}`,Ut(r),...L],s)}const Bt=n`<p class="note">
  What this iteration wrote is left out, because the page would be too long. It is in the loop's folder.
</p>`;async function an({textsOf:t,withTexts:e},o,s){const r=new Map;let a=s;for(const m of o.toReversed()){const p=Ye(m,await t(m.iteration),e);if(a-=Wt(p.text),a<0)break;r.set(m.iteration,p)}return r}function Wt(t){return Buffer.byteLength(t)}function Ut({before:t}){const e=t.slice(0,100);return e.length===0?n``:n`<details class="iteration searched">
    <summary>Before the first iteration</summary>
    <div id="i0" class="folded">
      <ul>
        ${e.map(({text:o})=>n`<li>${(0,c.Jj)(o,1e3)}</li>`)}
      </ul>
    </div>
  </details>`}function cn({view:t,withTexts:e},o){const{state:s}=t,{failing:r}=(0,N.oX)(s),a=s.failing?.failing??[],p=[e?`Task:
${s.prompt.trim()}`:"",`State:
${v(t).text}`,a.length===0?"":`Failing tests:
${a.map(_=>`- ${(0,c.TN)(_)}`).join(`
`)}`,r===null?"":`Last output of ${(0,c.TN)((0,I.v8)(r))}:
${r.tail.trim()||(0,O.UN)(r)}`,`Decision:
${[...o.ending.map(({text:_})=>_),`next: ${(0,i.sk)(t)}`].join(`
`)}`].filter(_=>_!=="").join(`

`);return n`${st("for-an-agent","for an agent")}
    <details>
      <summary>Task, failing tests, last output and decision, as one text</summary>
      ${ot("for-an-agent",p,"for an agent")}
    </details>`}function ln({state:t,prd:e}){const o=(0,z.u2)(t,e);if(o===null)return null;const s=(0,z.gR)(o),{rows:r,rest:a}=(0,z.NB)(o.stories,sn);return n`<p>${(0,z.Wl)(o)}.${s!==void 0&&` At work on ${s}.`}</p>
    <ul>
      ${r.map(m=>n`<li class="searched" id="${m.id}">
            <span aria-hidden="true">${z.t5[m.status]}</span> <strong>${m.id}</strong> ${(0,z._Q)(m)}:
            ${(0,z.sV)(m)}${m.commit!==null&&n`, <code>${m.commit.slice(0,12)}</code>`}
          </li>`)}
    </ul>
    ${a!==""&&n`<p>${a}.</p>`}`}function zt(t){return`'sha256-${(0,J.createHash)("sha256").update(t).digest("base64")}'`}function dn(){return["default-src 'none'",`script-src ${zt(Ct)}`,`style-src ${zt(jt)}`,"img-src data:","base-uri 'none'","form-action 'none'"].join("; ")}const un=n`<p class="note">
  Prompts, messages of the agent and diffs are left out of this page, because its readers may not be those who may see
  them.
</p>`;function Kt(t,e,o,s){const{loop_id:r,generation:a,updated_at:m,iteration:p}=t.state,_=p===0?"None has begun.":"The events of this loop are gone, so they are not known.",x=o.every(({text:w})=>w==="")?n`<p>${_}</p>`:n`${o}`;return n`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        ${new M(`<meta http-equiv="Content-Security-Policy" content="${dn()}">`)}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>Loop ${r}</title>
        ${new M(`<style>${jt}</style>`)}
      </head>
      <body>
        <a class="skip" href="#iterations">To the iterations</a>
        <main>${e.top} ${s?null:un} ${mn(e,x)}</main>
        <footer>
          <p>
            Loop ${r}, generation ${a}, as of ${St(m)}. Made by smithers; nothing on this page is loaded or sent.
          </p>
        </footer>
        ${new M(`<script>${Ct}<\/script>`)}
      </body>
    </html> `.text}function mn({charts:t,agent:e,stories:o},s){const r=(a,m,p)=>n`<section aria-labelledby="${a}">
      <h2 id="${a}">${m}</h2>
      ${p}
    </section>`;return n`${r("agent","Copy for an agent",e)} ${r("charts","Charts",t)}
    <form id="search" role="search" hidden>
      <label for="search-for">Search iterations${o!==null&&" and stories"}</label>
      <input id="search-for" type="search" autocomplete="off" />
      <p id="search-found" role="status" class="dim"></p>
    </form>
    ${r("iterations","Iterations",s)}
    ${o!==null&&r("stories","Stories",o)}`}}),me34b18:((at,F,u)=>{u.d(F,{o:()=>I});const J="sandbox danger-full-access: the agent may change or delete anything you can, and use the network.",O=/^--yolo$|^--dangerously-|danger-full-access/u;function I(k){const c=k.providerArgs.filter(N=>O.test(N));return[...k.sandbox==="danger-full-access"?[J]:[],...c.map(N=>`${N}: the agent's own approvals or sandbox are switched off.`)]}function h(k){const c=I(k);return c.length===0?[]:["!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!  WARNING  !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!",...c,"Run this only where nothing is of value: a container or a virtual machine.","!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!"]}}),me07f80:((at,F,u)=>{u.d(F,{Cl:()=>d,HX:()=>nt,Lq:()=>y,k0:()=>C,nx:()=>z,tY:()=>j,yt:()=>Z});var J=u("md3f2d5"),O=u("m521ef3"),I=u("m0ec62e"),h=u("md61422"),k=u("m20624b"),c=u("m5002c5"),N=u("m0b5f83"),E=u("mef5322"),i=u("m962097"),G=u("m9d6e92"),R=u("m3104e1");function d(n,g){switch(n.type){case"loop_started":{const b=n.generation>1?`, generation ${n.generation}`:"",X=(0,E.hS)(n.max_iterations,"iteration");return[(0,i.n8)(`loop ${n.loop_id} started: ${X} at most${b}`,"strong"),...(0,R.VE)(n,g)]}case"loop_resumed":return[(0,i.n8)(`loop ${g.loop_id} resumed: ${(0,E.hS)(g.iteration,"iteration")} begun so far`,"strong"),...(0,R.VE)(n,g)];case"turn_abandoned":return[(0,i.n8)(`iteration ${n.iteration} was cut short when its run died; it counts`,"warn"),...rt(n)];case"turn_started":return[(0,i.n8)(S(n,g),"strong")];case"session_opened":return[(0,i.n8)(`${n.replaces===void 0?"":"fresh "}session ${(0,i.TN)(n.session_id)}`,"dim")];case"turn_ended":return q(n,g);case"proved":return l(n,nt(n.verdict,g));case"reviewed":return[];case"wait_started":return[(0,i.n8)(y(n,g.not_before),"warn")];case"settled":return[...rt(n),...(0,R.QM)(n,g)];case"story_examined":return(0,R.LK)(n);case"story_given_up":return[(0,R.QN)(n.story)];case"story_shelved":return(0,R.cv)(n);case"story_ruled":return[(0,R.bw)(n)];case"loop_stopped":{const{reason:b}=n,{status:X,sentence:Q,exitCode:A}=(0,I.sG)(b),K=b.kind==="head_moved"?[(0,i.n8)((0,G.l)(b),"warn")]:[];return[(0,i.n8)(`loop ${X} (${b.kind}): ${Q}`,A===0?"good":"warn"),...K,...v(n)]}case"reset":return[(0,i.n8)(`${n.what} reset by ${(0,i.TN)(n.by)}`)];case"published":return n.pull_request===null?[]:[(0,i.n8)(`pull request ${n.pull_request.url}`,"strong")]}}function v({submodules:n=[]}){if(n.length===0)return[];const g=n.map(i.TN).join(", ");return[(0,i.n8)(`the commit moves a submodule to another commit (${g}): push that one first, from there`,"warn")]}function S(n,{stories:g}){const{iteration:b,session:X,item:Q,provider:A}=n,K=g&&(0,h.zv)(g,Q.id)?.attempts,ot=K===null?"":`, ${Q.id} ${(0,i.TN)(Q.title)} (attempt ${K??1})`,st=A===void 0?"":`, by ${(0,i.TN)(A)}`;return`iteration ${b} started, ${X} session${ot}${st}`}function C(n){return n===null?"changes not measured":n.files===0?"no file changed":`${(0,E.hS)(n.files,"file")} changed (+${n.added} -${n.removed})`}function j(n){const{exitCode:g,timedOut:b,durationMs:X}=n,[Q,A]=Y(n)?["passed","good"]:["failed","bad"],ot=[b?"timed out":g===null?"did not end":`exit ${g}`,(0,E.p0)(X),(0,N.yp)(n)].filter(ct=>ct!==void 0).join(", "),st=Y(n)?"":(0,i.TN)((0,k.T9)(n));return(0,i.n8)(`check ${Q} (${ot}): ${(0,i.TN)((0,N.v8)(n))}${st===""?"":`: ${st}`}`,A)}function q(n,{artifacts:g}){const{change:b,usage:X,duration_ms:Q,failure:A,claim:K,tally:ot,undone:st=[]}=n,{hint:ct,blocked:mt,person:ft}=K,ht=A===null?(0,O.QX)(K,ot):null,lt=`${C(b)}, ${(0,E.zD)((0,J.RP)(X))} tokens, ${(0,E.p0)(Q)}`;return[A===null?(0,i.n8)(`agent ended its turn: ${lt}`):(0,i.n8)(`agent failed (${A.kind}): ${(0,i.TN)(A.message)}; ${lt}`,"bad"),...A?.next===void 0?[]:[(0,i.n8)(`what helps: ${(0,i.TN)(A.next)}`,"warn")],...A===null&&(0,O.vF)(K,ot)?[(0,i.n8)("agent claims to be done","good")]:[],...ht===null?[]:[(0,i.n8)(`claim names unfinished work: ${(0,i.TN)(ht)}`,"warn")],...ct===null?[]:[(0,i.n8)(`claim does not count: ${(0,i.TN)(ct)}`,"warn")],...mt===null?[]:[(0,i.n8)(`agent is blocked: ${(0,i.TN)(mt)}`,"warn")],...ft===void 0?[]:[(0,i.n8)(`agent needs a person: ${(0,i.TN)(ft)}`,"warn")],...st.map(_t=>(0,R.w$)(_t,g.dir))]}function nt(n,{phase:g,last_turn:b,plan:X}){if(!(g==="unsettled"&&b!==null&&b.failure===null&&(0,O.vF)(b.claim,X))||n.result!=="failed"||n.occasion!==void 0)return;const A=n.checks.filter(K=>!Y(K)).map(K=>(0,i.TN)((0,N.v8)(K)));return`claim refused: ${A.join(", ")} ${A.length===1?"is":"are"} red`}function Y(n){return n.exitCode===0&&!n.timedOut}function rt(n){return[...n.commit?[(0,i.n8)(`committed ${n.commit}`,"dim")]:[],...v(n)]}function l({verdict:n,weaknesses:g},b){return[...n.checks.map(j),...f(n),...b===void 0?[]:[(0,i.n8)(b,"bad")],...n.result==="cut_off"?[(0,i.n8)("checks cut off before they had ended","warn")]:[],...n.result==="unrunnable"?[(0,i.n8)(`check cannot run: ${(0,i.TN)(n.problem.what)}`,"bad")]:[],...(0,c.pZ)(g).map(X=>(0,i.n8)(`weak proof: ${(0,i.TN)(X)}`,"warn"))]}function f({occasion:n,result:g}){if(n===void 0)return[];const b="checks asked between claims, because the turn changed something";return g==="passed"?[(0,i.n8)(`${b}: green proves nothing by itself, and the agent is told to say if it is done`)]:g==="failed"?[(0,i.n8)(`${b}: the next turn is told what is red`)]:[(0,i.n8)(b)]}const $={interval:"the interval between iterations",rate_limit:"the provider limits the rate of requests",usage_limit:"the provider's usage limit is reached",calls_per_hour:"the calls of this hour are used up",tokens_per_day:"the tokens of this day are used up"};function y(n,g){const b=(0,i.TN)(g?.message??"").slice(0,200);return`waiting until ${n.until}: ${$[n.why]}${b===""?"":` (${b})`}`}const T=300,D=4e3,B=3;function z(n){switch(n.type){case"session.started":return"the agent is starting";case"message":return`the agent says: ${M(n.text)}`;case"reasoning":return`the agent thinks: ${M(n.text)}`;case"output":return`the agent prints: ${M(n.text)}`;case"command.started":return`the agent runs: ${M(n.command)}`;case"check.started":return`checking: ${M(n.command)}`;case"turn.retrying":return`${n.failure.kind}: ${tt(n)}`;case"command.ended":case"files.changed":case"permission.denied":case"tool.used":return"the agent is thinking";case"check.ended":case"notice":case"usage":case"turn.completed":case"turn.failed":return}}function Z(n){switch(n.type){case"message":return(0,i.n8)(`agent says: ${M(n.text)}`,"dim");case"output":return(0,i.n8)(`agent prints: ${M(n.text)}`,"dim");case"command.ended":return(0,i.n8)(`agent ran (${et(n.exitCode)}): ${M(n.command)}`,"dim");case"files.changed":return(0,i.n8)(`agent changed ${it(n.changes.map(g=>g.path))}`,"dim");case"tool.used":return(0,i.n8)(`agent used ${M(n.name)}${n.failed?", which failed":""}`,"dim");case"permission.denied":return(0,i.n8)(`agent was not allowed: ${M(n.what)}`,"warn");case"notice":return(0,i.n8)(`notice: ${M(n.text,D)}`,"dim");case"turn.retrying":{const g=`attempt ${n.attempt}, ${tt(n)}`;return(0,i.n8)(`agent failed (${n.failure.kind}), ${g}: ${M(n.failure.message)}`,"warn")}case"check.started":return(0,i.n8)(`check started: ${M(n.command)}`,"dim");case"session.started":case"reasoning":case"command.started":case"check.ended":case"usage":case"turn.completed":case"turn.failed":return}}function tt({delayMs:n}){return`trying again ${n===0?"at once":`in ${(0,E.p0)(n)}`}`}function M(n,g=T){const b=(0,i.TN)(n);return b.length>g?`${b.slice(0,g)}…`:b}function et(n){return n===null?"no exit code":`exit ${n}`}function it(n){const g=n.slice(0,B).map(i.TN).join(", "),b=n.length-B;return`${(0,E.hS)(n.length,"file")}: ${g}${b>0?` and ${b} more`:""}`}}),m9d6e92:((at,F,u)=>{u.d(F,{k:()=>R,l:()=>N});var J=u("mc02145"),O=u("m5002c5"),I=u("m84a7d2"),h=u("mf5f11f"),k=u("mef5322"),c=u("m962097");function N({from:d,to:v}){const S=`It was ${E(d)}, and is ${E(v)}.`;if(d.branch!==void 0&&d.branch!==v.branch){const Y=d.branch===null?`--detach ${i(d.head)}`:(0,c.TN)(d.branch);return`${S} \`git switch ${Y}\` goes back.`}if(d.head===null)return`${S} \`git update-ref -d HEAD\` puts it back and keeps the files.`;const[j,q]=[i(d.head),i(v.head)],nt=`If \`git log ${q}..${j}\` names commits, they were undone, and the files that they brought are missing: \`git checkout ${j} -- FILE\` brings them back, else the story's commit deletes them.`;return`${S} \`git reset --soft ${j}\` puts it back and keeps the files; what came is still ${q} then. Your own commit can stay: the loop builds on it. ${nt}`}function E({head:d,branch:v}){const S=d===null?"before the first commit":`at ${i(d)}`;return v===void 0?S:`${v===null?"on no branch":`on ${(0,c.TN)(v)}`}, ${S}`}function i(d){return String(d).slice(0,12)}function G({why:d,run:v,job:S,cause:C}){const j=d==="green_here"?"The checks here are green before anything was changed":"The checks are green although nothing was changed";return`Job ${(0,c.TN)(S)} of ${(0,c.TN)(v)} was red. ${j}. Cause, as far as it shows: ${I.hE[C]}.`}function R(d,v){switch(d.kind){case"promise":case"done_token":case"dual_gate":case"exit_signal":return d.verified?"":"No check is configured, so nobody but the agent says so.";case"plan_complete":return d.verified?"":"No check is configured, so nothing but the plan says so.";case"success_command":case"already_green":return`Command: ${(0,c.TN)(d.command)}`;case"stories_passed":return`${(0,k.zD)(d.passed)} of the PRD's ${(0,k.zD)(d.total)} stories have passed.`;case"story_review":return`${d.story} ${(0,c.TN)(d.title)}${d.commit===null?"":`: commit ${d.commit}`}`;case"story_blocked":return`${d.story}: ${(0,c.TN)(d.why)}`;case"stories_blocked":{const S=d.waiting===0?[]:[`${d.waiting} more wait for these.`];return[...d.stories.map(({id:C,why:j})=>`${C}: ${(0,c.TN)(j)}`),...S].join(" ")}case"hard_stop":return d.hits.map(({line:S,text:C,vanished:j})=>`${j===!0?"gone":`line ${S}`}: ${(0,c.TN)(C)}`).join("; ");case"paused":case"stopped":case"canceled":return`Asked for by: ${(0,c.TN)(d.by)}`;case"superseded":return`The other run: ${(0,c.TN)(d.by)}`;case"carriers_unreachable":return d.unanswered.map(({carrier:S,why:C})=>`${S}: ${(0,c.TN)(C)}`).join(" ");case"time_budget":return"";case"max_iterations":return(0,k.hS)(d.max,"iteration");case"tokens":return`${(0,k.zD)(d.spent)} of ${(0,k.zD)(d.max)} tokens`;case"total_time":return`${(0,k.p0)(d.spent)} of ${(0,k.p0)(d.max)}`;case"agent_blocked":return(0,c.TN)(d.why);case"permission_denied":return d.denied.map(({what:S,allow:C})=>`${(0,c.TN)(S)}: ${(0,c.TN)(v(C))}`).join(" ");case"question":return(0,c.TN)(d.question);case"unfinished":return`It says: "${(0,c.TN)(d.said)}"`;case"proof_accepted":return(0,c.em)(`By ${(0,c.TN)(d.by)}, ${d.at}. ${(0,c.TN)((0,O.pZ)(d.weaknesses).join("; "))}`);case"weak_proof":return(0,c.em)((0,c.TN)((0,O.pZ)(d.weaknesses).join("; ")));case"reviewer_vetoes":return(0,c.em)((0,c.TN)((0,h.EJ)(d.objections).join("; ")));case"protected_paths":case"too_large":return(0,c.em)((0,c.TN)((0,J.WW)(d)));case"flaky":return`${(0,c.TN)(d.command)} was red and green on the same files${d.tests.length===0?"":`: ${(0,c.TN)(d.tests.join(", "))}`}.`;case"not_reproduced":return G(d);case"head_moved":return N(d);case"no_progress":case"same_error":case"test_loops":case"missing_status":return(0,k.hS)(d.count,"iteration");case"rate_limit":case"usage_limit":return`Until ${d.until}: ${(0,c.TN)(d.message)}`;case"tokens_per_day":return`Until ${d.until}: ${(0,k.zD)(d.max)} tokens a day`;case"calls_per_hour":return`Until ${d.until}: ${(0,k.hS)(d.max,"call")} an hour`;case"auth":case"config":case"sandbox_broken":case"provider":{const{kind:S,message:C,next:j}=d.failure;return`${S}: ${(0,c.TN)(C)}${j===void 0?"":` ${(0,c.TN)(v(j))}`}`}case"gate_unrunnable":case"commit_refused":return`${(0,c.TN)(d.problem.what)} ${(0,c.TN)(v(d.problem.next))}`}}}),mba8df2:((at,F,u)=>{u.d(F,{Ge:()=>k,ON:()=>N,U7:()=>h});var J=u("mf5f11f"),O=u("mef5322"),I=u("m962097");function h({review:E}){const{answer:i,why:G,objections:R,iteration:d,vetoes:v}=E;switch(i){case null:return;case"clear":return`Another session reviewed the work of iteration ${d} and holds nothing against it.`;case"veto":return`Another session reviewed the work of iteration ${d} and vetoed it${v>1?` (veto ${v})`:""}: ${c((0,J.EJ)(R))}.`;case"unreadable":case"failed":return`The review of iteration ${d} gave no answer that counts, so nobody has vetoed the work: ${(0,I.TN)(G)}.`}}function k({review:E}){return E.answer!==null&&E.answer!=="clear"}function c(E){return E.map(i=>`"${(0,I.TN)(i)}"`).join("; ")}function N({review:{spent:E}}){const{reviews:i,tokens:G,input_tokens:R,cached_input_tokens:d,output_tokens:v,ms:S}=E;if(!(i===0&&G===0))return`Reviews: ${(0,O.hS)(i,"session")}, ${(0,O.p0)(S)}. Tokens, not among the others: ${(0,O.zD)(G)} (${(0,O.zD)(R)} in, of which ${(0,O.zD)(d)} cached; ${(0,O.zD)(v)} out).`}}),m3104e1:((at,F,u)=>{u.d(F,{LK:()=>E,QM:()=>c,QN:()=>N,VE:()=>v,bw:()=>d,cv:()=>G,w$:()=>R});var J=u("md61422"),O=u("mf62150"),I=u("mef5322"),h=u("m962097"),k=u("mc2cfc0");function c({story:l,commit:f},{stories:$}){if(l===void 0)return[];if(l.ends==="blocked")return[N(l)];const y=(0,h.TN)(($&&(0,J.zv)($,l.id)?.title)??""),T=(0,k.p6)(l),D=(0,k.aJ)(T)?`; ${(0,k.is)(T)}`:"",B=f===null?", without a commit because nothing had to be changed":"";return[(0,h.n8)(`${l.id} has passed${B}: ${y}${D}`,"good")]}function N({id:l,kind:f,why:$}){return(0,h.n8)(`${l} is blocked (${f}): ${(0,h.TN)($)}`,"warn")}function E({id:l,before:f,others:$}){const y=f.filter(({green:it})=>!it).length,T=y===0?"":", which its work has to turn green",D=(0,h.n8)(`${l} before it begins: ${y} of ${(0,I.hS)(f.length,"command")} red${T}`,"dim");if($===void 0)return[D];const B=`${$.red.length} of ${(0,I.hS)($.asked,"command")}`,z=$.red.slice(0,i).map(({story:it,run:n})=>(0,h.TN)(`${it}: ${n}`)),Z=$.red.length-z.length,tt=`: ${z.join("; ")}${Z>0?` and ${Z} more`:""}`,M=$.red.length===0?"":`${tt}. This is not held against ${l}`,et=$.red.length===0?"dim":"warn";return[...f.length===0?[]:[D],(0,h.n8)(`${l} before it begins: ${B} of stories that have passed red${M}`,et)]}const i=5;function G({id:l,patch:f}){return f===null?[]:[(0,h.n8)(`${l}: its unfinished work is out of the work tree, in ${f} of the loop's folder`,"warn")]}function R(l,f){const $=`${(0,h.TN)(l.file)} was changed during a turn, by the agent or somebody else, and is put back: ${(0,O.G)(l,f)}`;return(0,h.n8)($,"warn")}function d({id:l,ruling:f,by:$,words:y}){const T=y===null?"":`: ${(0,h.TN)(y)}`;return(0,h.n8)(`${l} is ${f==="accept"?"accepted":"to be tried again"}, says ${(0,h.TN)($)}${T}`,"strong")}function v({stories:l},{stories:f}){if(l===void 0||f===null)return[];const $=f.records.filter(({state:T,gone:D})=>T==="passed"&&!D),y=(T,D,B="warn")=>D.length===0?[]:[(0,h.n8)(`${T}: ${C(D.map(({id:z})=>z))}`,B)];return[(0,h.n8)(`stories of ${l.prd}: ${(0,I.zD)(l.stories.length)}, of which ${(0,I.zD)($.length)} have passed`),...y("passed by the file alone, not proved here",$.filter(({passing:T})=>T?.how==="taken_over")),...y("changed since they passed, and wait for retry",$.filter(({changed:T})=>T)),...y("no longer in the PRD",f.records.filter(({gone:T})=>T),"dim")]}const S=20;function C(l){const f=l.length-S;return`${l.slice(0,S).join(", ")}${f>0?` and ${f} more`:""}`}function j({state:l,prd:f}){const $=storiesReport(l,f);if($===null)return[];const y=activeText($),{rows:T,rest:D}=shownStories($.stories);return[line(`PRD ${$.prd}: ${tallyText($)}.`,"strong"),...y===void 0?[]:[line(`Story at work: ${y}`)],...q(T),...D===""?[]:[line(`  … ${D}`,"dim")],...$.undone.map(B=>R(B,l.artifacts.dir))]}function q(l){return l.map(f=>line(nt(f),rt[f.status]))}function nt(l){const f=l.commit===null?"":`; commit ${l.commit.slice(0,7)}`;return`  ${Y(l)} ${l.id} ${shownTitle(l)}: ${standText(l)}${f}`}function Y({status:l}){return hasPassed({status:l})?"[x]":l==="blocked"?"[!]":l==="in_progress"?"[>]":"[ ]"}const rt={passed:"good",accepted:"good",taken_over:"plain",blocked:"warn",in_progress:"strong",waiting:"dim",pending:"plain"}}),m382078:((at,F,u)=>{u.d(F,{OD:()=>v,Sd:()=>q,nM:()=>Y});var J=u("m0b5f83"),O=u("mef5322"),I=u("mf174de"),h=u("mfcb333"),k=u("mc59343"),c=u("m4c721d"),N=u("me07f80"),E=u("m962097"),i=u("mba8df2"),G=u("m9d6e92"),R=u("m3104e1"),d=u("m7358cf");function v(l){const{state:f}=l,$=(0,i.U7)(f),y=T=>T.filter(D=>D!==void 0).map(D=>(0,E.n8)(D,"warn"));return[...y([(0,c.g_)(f),(0,c.mF)(f)]),...$===void 0?[]:[(0,E.n8)($,(0,i.Ge)(f)?"warn":"plain")],...y([(0,c.gy)(f),(0,c.qC)(f),(0,c.W1)(f),(0,c.b9)(f),(0,c.w7)(f)]),...y([(0,d.YM)(l)]),...(0,d.dN)(f).map(T=>(0,E.n8)(`hard_stop_pending: line ${T.line} still wants a person: ${(0,E.TN)(T.text)}`,"warn"))]}function S(l){const{state:f}=l;return[...dangerBanner(l.protection).map($=>line($,"bad")),...C(l),...v(l),...storySummary(l),...j(l),...q(l).map($=>line($)),line(`Progress: ${progressText(f)}.`),line(`Calls of the agent: ${callsText(f)}.`),line(`Circuit: ${circuitText(f)}.`,f.circuit.state==="CLOSED"?"plain":"warn"),...rt(l),line(`Next: ${nextStep(l)}`,"strong")]}function C(l){const{state:f}=l,$=shownStatus(l),y=endingOf(f);if(y===void 0){const B=l.alive?"The loop is running.":"The last run ended without an ending: it was killed, or an error ended it.";return[line(`${oneLine(f.loop_id)}: ${$}. ${B}`,l.alive?"strong":"warn")]}const T=y.outcome.exitCode===0?"good":"warn",D=reasonDetail(y.reason,l.word);return[line(`${oneLine(f.loop_id)}: ${$} (${y.reason.kind}). ${y.outcome.sentence}`,T),...D===""?[]:[line(`  ${D}`,T)]]}function j(l){const{result:f,sentence:$,failing:y}=proofOf(l.state),T=[line($,f==="verified"?"good":"warn")];if(y===null)return T;const D=lastLines(y.tail,15);return D.length>0&&T.push(line(`Last lines of \`${oneLine(checkLabel(y))}\`:`,"dim")),[...T,...D.map(B=>line(`  | ${B}`,"dim"))]}function q({state:l,word:f}){const{iteration:$,max_iterations:y,spent:T}=l,{tokens:D,input_tokens:B,cached_input_tokens:z,output_tokens:Z,resumes:tt}=T,M=(0,i.ON)(l),et=tt>0?`; resumed ${tt===1?"once":`${tt} times`}`:"";return[`Iterations: ${$} of ${y}. Tokens: ${(0,O.zD)(D)} (${(0,O.zD)(B)} in, of which ${(0,O.zD)(z)} cached; ${(0,O.zD)(Z)} out).`,`Time: ${(0,O.p0)(T.turn_ms)} in ${(0,O.hS)(T.turns,"turn")}, ${(0,O.p0)(T.check_ms)} in checks${et}.`,...M===void 0?[]:[M],...nt(l).map(f)]}function nt(l){const[f,$]=[(0,k.rs)(l),(0,k.xn)(l)];return f===void 0?l.spent.turns===0?[]:["Cost: unknown; no price of the model is known. --model or --prices would tell."]:[`Cost: ${f}, by list prices of ${h.nx} unless prices or the agent says another${$===void 0?"":`; ${$} at this pace`}.`]}function Y({change:l}){return`Since the loop began: ${(0,N.k0)(l)}.`}function rt(l){const f=lastLines(l.change?.stat??"",Number.MAX_SAFE_INTEGER).slice(0,10);return[...l.branch===null?[]:[line(`Branch: ${oneLine(l.branch)}`)],line(Y(l)),...f.map($=>line(`  ${$}`,"dim")),line(`State: ${l.stateFile}`,"dim"),line(`Logs and messages: ${l.folder}`,"dim")]}})};export{fn as id,hn as ids,pn as modules};
//# sourceMappingURL=report-page.js.map
