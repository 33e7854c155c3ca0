const hn="report-page",pn=["report-page","shared-views-reason"],$n={mfcb333:((at,F,f)=>{f.d(F,{ho:()=>v,nx:()=>J,xx:()=>L});const J="2026-11-24",k=/-\d{4}-\d{2}-\d{2}$/u;function L(l,S,x){if(l===null)return;const c=l.replace(k,"");return S.get(l)??S.get(c)??x.find(G=>G.model===c)}const p=1e6;function v({input:l,cachedInput:S,output:x},c){const M=Math.max(0,l-S)*c.input+Math.min(S,l)*c.cachedInput+x*c.output;return Math.ceil(Math.round(M*p)/p)}}),m77b224:((at,F,f)=>{f.d(F,{reportPage:()=>an});var J=f("mf203b1"),k=f("m20624b"),L=f("m0b5f83"),p=f("mef5322"),v=f("me07f80"),l=f("m962097"),S=f("m4c721d"),x=f("m9d6e92"),c=f("m7358cf"),G=f("m3104e1"),M=f("m382078");function u(t){return[...dangerBanner(t.protection).map(e=>line(e,"bad")),P(t),...doubts(t),...storySummary(t),...nt(t),line(`Changed: ${q(t)}`),...d(t),line(`Took: ${g(t)}${h(t)}`,"dim"),line(`Next: ${nextStep(t)}`,"strong")]}function P(t){const{how:e,why:n,tone:o}=N(t);return(0,l.n8)(`${e} ${n}`,o)}function N(t){const{state:e,alive:n}=t,o=t.isGone===!0?void 0:(0,c.z6)(e),{result:s,sentence:a}=(0,S.oX)(e,"no tests"),m=(K,W="")=>`${K} ${(0,l.TN)(e.loop_id)}: ${(0,c.t1)(t)}${W}.`;if(o===void 0){const K=`${(0,c.XZ)(t)}${n?"":` ${a}`}`;return{how:m("–"),why:K,tone:n?"strong":"warn"}}const{outcome:$,reason:_}=o,T=(0,x.k)(_,t.word),w=$.exitCode===0,H=T===""||j(_.kind)?[]:[/[.!?"]$/u.test(T)?T:`${T}.`],X=[$.sentence,...H,a].join(" "),B=w&&s!=="unchecked"?"✓":w||R.test($.status)?"–":"✗",O=w?s==="unchecked"?"warn":"good":"warn";return{how:m(B,` (${_.kind})`),why:X,tone:O}}const R=/^(?:paused_|waiting$|canceled$)/u;function j(t){return t==="success_command"||t==="already_green"}const Z=5;function nt({state:t}){const{failing:e}=proofOf(t);if(e===null)return[];const n=t.baseline?.failing_count,o=n===void 0?"":` (${n} at the start)`,{failing:s}=t;if(s===null||s.failing_count===0){const T=oneLine(whyRed(e));return[line(`Failing: ${oneLine(checkLabel(e))}${T===""?"":`: ${T}`}`,"bad")]}const a=s.failing.slice(0,Z).map(T=>cut(oneLine(T),100)),m=s.failing_count-a.length,$=m>0?` and ${m} more`:"",_=a.length===0?failedTests(e):`${a.join(", ")}${$}`;return[line(`Failing: ${counted(s.failing_count,"test")}${o}: ${_}`,"bad")]}function q({change:t,branch:e,state:n}){const s=(t?.stat??"").split(`
`).map(_=>oneLine(_.replace(/ \| .*$/u,""))).filter(_=>_!=="").slice(0,Z),a=(t?.files??0)-s.length,m=a>0?` and ${a} more`:"",$=n.iterations.findLast(_=>_.commit!==null)?.commit;return[`${changeText(t)}${s.length===0?"":`: ${s.join(", ")}${m}`}`,...e===null?[]:[`on ${oneLine(e)}`],...$==null?[]:[`last commit ${$.slice(0,12)}`]].join(", ")}const it=/<promise>|^[A-Z_]{3,}:|^-{3,}/u;function d({state:t}){const e=(t.last_turn?.summary??"").replace(/^NOTES:[^]*/mu,""),o=lastLines(e,Number.MAX_SAFE_INTEGER).map(oneLine).findLast(s=>s!==""&&!it.test(s));return o===void 0?[]:[line(`Agent: "${cut(plainText(o),160)}"`)]}function h({state:t}){const e=t.status==="completed"||t.status==="canceled"?void 0:forecastText(t);return e===void 0?"":`; ${e} at this pace`}function g({state:t}){const{iteration:e,max_iterations:n,spent:o}=t,s=duration(o.turn_ms+o.check_ms),a=costOrNone(t),m=[s,counted(o.tokens,"token"),...a===void 0?[]:[a]].join(", ");return`${grouped(e)} of ${counted(n,"iteration")}, ${m}`}const E=60,y=new Map([["completed","good"],["running","strong"],["canceled","dim"]]);function D(t){return t.toSorted((e,n)=>Date.parse(n.state.updated_at)-Date.parse(e.state.updated_at))}function U(t,e){const n=t.map(a=>({texts:ot(a,e),status:a.status})),o=[],s=a=>o[a]??0;for(const{texts:a}of n)for(const[m,$]of a.entries())o[m]=Math.max(s(m),$.length);return n.map(({texts:a,status:m})=>{const $=a.map((_,T)=>_.padEnd(s(T))).join("  ");return line($.trimEnd(),y.get(m)??"plain")})}function ot({state:t,status:e,where:n},o){const s=duration(Math.max(0,o-Date.parse(t.updated_at))),a=t.stories===null?firstLine(t.prompt.trim()):`PRD ${t.stories.prd}`,m=oneLine(a),$=oneLine(t.loop_id);return[n===""?$:`${$} (in ${oneLine(n)})`,e,`${t.iteration} of ${t.max_iterations}`,`${s} ago`,m.length>E?`${m.slice(0,E)}…`:m]}var Q=f("mc2cfc0"),V=f("maf4b51"),I=f("md3f2d5");class Y{text;constructor(e){this.text=e}}function et(t){return(0,l.wh)(t).replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;").replaceAll('"',"&quot;").replaceAll("'","&#39;")}function i(t){return t==null||t===!1?"":t instanceof Y?t.text:typeof t=="string"?et(t):typeof t=="number"?String(t):t.map(i).join("")}function r(t,...e){return new Y(t.map((n,o)=>n+i(e[o])).join(""))}function b(t){const e=t.split(/`([^`]+)`/u);return r`${e.map((n,o)=>o%2===0?n:r`<code>${n}</code>`)}`}function A(t,e="",n){return[`i${t}`,...e===""?[]:[e],...n===void 0?[]:[n]].join("-")}const tt={good:["✓","passed"],bad:["✗","failed"],open:["–","not proved"]};function C(t){const[e,n]=tt[t];return r`<span class="mark ${t}" aria-hidden="true">${e}</span><span class="hidden">${n}:</span> `}function z(t,e,n,o="fold"){return r`<details class="${o}">
    <summary>${e}</summary>
    <div id="${t}" class="folded">${n}</div>
  </details>`}function st(t,e){return r`<pre tabindex="0" role="region" aria-label="${e}">${t}</pre>`}function rt(t,e,n){return new Y(`<pre id="${t}" tabindex="0" role="region" aria-label="${et(n)}">${et(e)}</pre>`)}function ct(t,e){return r`<button type="button" data-copy="${t}" hidden>Copy<span class="hidden"> ${e}</span></button>`}function ut(t,e,n){return r`<div class="copyable">${rt(t,e,n)}${ct(t,n)}</div>`}const mt="http://www.w3.org/2000/svg",ft=new Set(["aria-label","aria-description","style"]);class ht{#t;constructor(e){this.#t=e}get text(){return et(this.#t)}}class pt{namespaceURI=mt;localName;ownerDocument;childNodes=[];#t=new Map;constructor(e,n){this.localName=e,this.ownerDocument=n}setAttribute(e,n){this.#t.set(e,String(n))}removeAttribute(e){this.#t.delete(e)}appendChild(e){return this.childNodes.push(e),e}insertBefore(e){return this.appendChild(e)}set textContent(e){this.childNodes.splice(0,1/0,new ht(String(e)))}get text(){if(this.localName==="style")return"";const n=[...this.#t].filter(([o])=>!ft.has(o)).map(([o,s])=>` ${o}="${et(s)}"`).join("");return`<${this.localName}${n}>${this.childNodes.map(({text:o})=>o).join("")}</${this.localName}>`}}class bt{documentElement=new pt("html",this);createElementNS(e,n){return new pt(n,this)}}function Ht(t,e){const n=[t(new bt)].filter(o=>o instanceof pt);for(const o of n)for(const[s,a]of Object.entries(e))o.setAttribute(s,a);return new Y(n.map(({text:o})=>o).join(""))}const Et=150,Tt=t=>()=>({name:t,one:1}),Ft=[{name:"hours",one:36e5},{name:"minutes",one:6e4}];function Gt(t){const e=Math.max(...t.map(({time:n})=>n));return Ft.find(({one:n})=>e>=2*n)??{name:"seconds",one:1e3}}function Xt(t){const e=t.checks.reduce((n,{durationMs:o})=>n+o,0);return{iteration:t.iteration,failing:t.failing,tokens:t.usage===null?null:(0,I.RP)(t.usage),cost:t.cost,time:t.turn_ms+e,added:t.change?.added??null,removed:t.change?.removed??null}}function Jt(t){const e=Math.ceil(t.length/Et);return t.flatMap((n,o)=>{if(o%e!==0)return[];const s=t.slice(o,o+e),a=m=>xt(s.map(m));return{from:n.iteration,to:s.reduce((m,{iteration:$})=>$,n.iteration),failing:s.reduce((m,{failing:$})=>$??m,null),tokens:a(({tokens:m})=>m),cost:a(({cost:m})=>m),time:s.reduce((m,{time:$})=>m+$,0),added:a(({added:m})=>m),removed:a(({removed:m})=>m)}})}function xt(t){return t.reduce((e,n)=>n===null?e:n+(e??0),null)}const Qt="–",lt=(t,e)=>t===null?Qt:e(t),Vt=[{id:"chart-failing",name:"Failing tests after each iteration",unit:Tt("failing tests"),shape:"line",sentence:t=>{const e=t.flatMap(({failing:n})=>n===null?[]:[n]);return`From ${e[0]} after the first count to ${e.at(-1)} after the last; at most ${Math.max(...e)}.`},columns:[["Failing tests",({failing:t})=>lt(t,p.zD)]],values:[({failing:t})=>t]},{id:"chart-time",name:"Time of each iteration",unit:Gt,shape:"bars",sentence:t=>`${kt(t,({time:e})=>e,p.p0)}, turn and checks together.`,columns:[["Time",({time:t})=>(0,p.p0)(t)]],values:[({time:t})=>t]},{id:"chart-tokens",name:"Tokens and cost of each iteration",unit:Tt("tokens"),shape:"bars",sentence:t=>`${kt(t,({tokens:e})=>e,e=>(0,p.hS)(e,"token"))}.`,columns:[["Tokens",({tokens:t})=>lt(t,p.zD)],["Cost",({cost:t})=>lt(t,p.dR)]],values:[({tokens:t})=>t]},{id:"chart-lines",name:"Lines changed in each iteration",unit:Tt("lines added ↑ removed ↓"),shape:"bars",sentence:t=>`${(0,p.zD)(Ot(t,({added:e})=>e))} lines added and ${(0,p.zD)(Ot(t,({removed:e})=>e))} removed over all iterations shown; what was removed is below the line.`,columns:[["Added",({added:t})=>lt(t,p.zD)],["Removed",({removed:t})=>lt(t,p.zD)]],values:[({added:t})=>t,({removed:t})=>t===null?null:-t]}];function Ot(t,e){return Number(xt(t.map(e)))}function kt(t,e,n){const o=Math.max(...t.map(a=>Number(e(a))));return t.filter(a=>Number(e(a))===o).slice(0,1).map(a=>`Most in ${Yt(a)}: ${n(o)}`).join("")}function Yt({from:t,to:e}){return t===e?`iteration ${t}`:`iterations ${t} to ${e}`}function Zt(t){const e=Jt(t.map(Xt)),n=Vt.filter(({values:o})=>e.some(s=>o.some(a=>Number(a(s))!==0)));return t.length<2||n.length===0?r`<p>There is too little to draw yet.</p>`:r`<div class="charts">${n.map(o=>qt(o,e,t.length))}</div>`}function qt(t,e,n){const{id:o,name:s,sentence:a,columns:m}=t,$=Math.ceil(n/Et),_=$>1?` Each ${t.shape==="line"?"point":"bar"} stands for ${$} iterations in a row.`:"";return r`<figure class="chart" aria-labelledby="${o}">
    <figcaption>
      <h3 id="${o}">${s}</h3>
      <p id="${o}-says">${a(e)}${_}</p>
    </figcaption>
    ${ce(t,e)}
    <details>
      <summary>Table<span class="hidden">: ${s}</span></summary>
      <div class="wide" tabindex="0" role="region" aria-label="${s}, as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">Iteration</th>
              ${m.map(([T])=>r`<th scope="col">${T}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${e.map(T=>r`<tr>
                  <th scope="row">${T.from===T.to?T.from:`${T.from} to ${T.to}`}</th>
                  ${m.map(([,w])=>r`<td>${w(T)}</td>`)}
                </tr>`)}
          </tbody>
        </table>
      </div>
    </details>
  </figure>`}const te=10;function ee(t){const e=Math.ceil(t.length/te);return t.flatMap(({from:n},o)=>o%e===0?[n]:[])}const $t={width:440,height:190,marginLeft:60,marginRight:12,marginTop:24,marginBottom:38},ne=48,oe=5,se=1e5,re=new Intl.NumberFormat("en-US",{notation:"compact"}),ie=60;function ae(t){const[e,n]=[Math.floor(Math.min(0,...t)),Math.ceil(Math.max(0,...t))],o=Math.min(oe,n-e);return{domain:[e,n],nice:o,ticks:o,grid:!0,tickFormat:a=>Math.abs(a)<se?(0,p.zD)(Math.abs(a)):re.format(Math.abs(a))}}function ce({id:t,unit:e,values:n,shape:o},s){const a=({from:O,to:K})=>(O+K)/2,{name:m,one:$}=e(s),_=n.map(O=>K=>{const W=O(K);return W===null?null:W/$}),T=($t.width-$t.marginLeft-$t.marginRight)/s.length,w=Math.max(.5,(T-ne)/2),H=_.flatMap((O,K)=>{const W=s.filter(dt=>O(dt)!==null),wt={className:K===0?"series":"series other"};return o==="line"?[(0,V.Mu)(W,{x:a,y:O,...wt}),(0,V.Om)(W.length>ie?[]:W,{x:a,y:O,r:3,fill:"currentColor",...wt})]:(0,V.aT)(W,{x1:({from:dt})=>dt-.5,x2:({to:dt})=>dt+.5,y:O,insetLeft:w,insetRight:w,...wt})}),X={label:"iteration",ticks:ee(s),tickFormat:String},B={label:m,...ae(_.flatMap(O=>s.map(K=>Number(O(K)))))};return Ht(O=>(0,V.QI)({...$t,document:O,x:X,y:B,marks:[(0,V.OJ)([0]),...H]}),{role:"img","aria-labelledby":`${t} ${t}-says`,class:"plot"})}var le=f("mf7f4e2"),de=f("md2c297"),vt=f("mc59343"),ue=f("me34b18"),me=f("m657e20"),fe=f("m521ef3"),he=f("m5002c5"),pe=f("m208c25"),Pt=f("mf174de");async function*$e(t){let e,n;for await(const o of t){const s=e?.phase==="settled"&&_e(o)?e.last_turn:null;if(e!==void 0&&s!==null){const $=be(s,e.plan,n);yield{iteration:e.iteration,lines:[(0,l.n8)(`  decided: go on, because ${$}`,"strong")]}}e=(0,pe.k)(e,o),o.type==="turn_started"&&(n=void 0),o.type==="proved"&&(n=o);const m=[...(0,v.Cl)(o,e),...ye(o,e)].map(({text:$,tone:_})=>(0,l.n8)(`  ${$}`,_));yield{iteration:e.iteration,lines:[...ge(o),...m]}}}function ge(t){return t.type==="turn_started"?[(0,l.n8)(""),(0,l.n8)(`Iteration ${t.iteration}, ${t.at}`,"strong")]:[]}function _e({type:t}){return t==="turn_started"||t==="wait_started"}function be(t,e,n){const{failure:o,claim:s}=t;if(o!==null)return`its turn failed (${o.kind}), and no rule ends it for that yet`;const a=(n?.verdict.checks??[]).filter(Te).map(m=>(0,l.TN)((0,L.v8)(m)));return a.length>0?`${a.join(", ")} ${a.length===1?"is":"are"} red`:(0,fe.vF)(s,e)?(0,he.pZ)(n?.weaknesses??[]).length>0?"the proof is weak":"its claim does not count, and no other rule ends it":"the agent does not claim to be done, and no other rule ends it"}function Te({exitCode:t,timedOut:e}){return t!==0||e}function ye(t,e){return t.type==="loop_stopped"?[Ee(t.reason),...we(t.reason)]:t.type!=="settled"?[]:[(0,l.n8)(`progress: ${(0,Pt.l_)(e)}`,"dim"),(0,l.n8)(`circuit: ${(0,Pt.l9)(e)}`,"dim")]}function we(t){const e=(0,x.k)(t,n=>n);return e===""?[]:[(0,l.n8)(`evidence: ${e}`)]}function Ee({kind:t}){return(0,l.n8)(`decided: stop, by the rule ${t} (${xe[t]})`,"strong")}const xe={promise:"POST 7",done_token:"POST 7",dual_gate:"POST 7",exit_signal:"POST 7",plan_complete:"POST 7, PRE 6",success_command:"POST 5",already_green:"PRE 6",stories_passed:"POST 6",story_review:"POST 9",story_blocked:"POST 6",stories_blocked:"POST 6",hard_stop:"POST 9, POST 4b, PRE 5",paused:"PRE 3",stopped:"PRE 3, POST 1",canceled:"PRE 2, POST 1",superseded:"PRE 1, POST 1",time_budget:"PRE 10, POST 13",max_iterations:"PRE 8, POST 12",tokens:"PRE 9, POST 13",total_time:"PRE 9, POST 13",agent_blocked:"POST 10",permission_denied:"POST 8",question:"section 4.5",unfinished:"POST 7b",proof_accepted:"PRE 5a",weak_proof:"POST 7a",reviewer_vetoes:"POST 7c",protected_paths:"POST 4a",too_large:"POST 4a",flaky:"PRE 6, POST 4d",not_reproduced:"PRE 6, POST 4c",head_moved:"POST 1a",no_progress:"POST 11, PRE 7",same_error:"POST 11, PRE 7",test_loops:"POST 11, PRE 7",missing_status:"POST 11, PRE 7",rate_limit:"POST 3, PRE 11",usage_limit:"POST 3, PRE 11",calls_per_hour:"PRE 11",tokens_per_day:"PRE 11",auth:"POST 2",config:"POST 2",sandbox_broken:"POST 2",provider:"POST 4",gate_unrunnable:"section 4.5",commit_refused:"section 4.5",carriers_unreachable:"PRE 1"};var Oe=f("m2646c1");const ke=1e7,ve=200,Pe={item:null,checks:[],cost:null,failing:null};async function Ne(t,e=ke){const n=new Map,o=De(n,e),s=[];let a=[],m=null,$;const _=w=>{$=w,w.type==="turn_started"&&(a=[]);const{open:H,closed:X}=(0,Oe.X)(m,w);m=H;for(const O of[X,H]){if(O===null)continue;const K=n.get(O.iteration),W=K===void 0||w.type==="turn_started"&&O===H;n.set(O.iteration,W?{...Pe,told:K?.told??[],meta:O}:{...K,meta:O})}const B=n.get((H??X)?.iteration??0);B!==void 0&&(w.type==="turn_started"&&w.item.id!==me.YD&&(B.item=w.item.title),w.type==="turn_ended"&&(B.cost=w.cost??null),w.type==="proved"&&(B.checks=w.verdict.checks,B.failing=w.failing?.failing_count??(w.verdict.result==="passed"?0:null),o(B)))};for await(const{iteration:w,lines:H}of $e(Se(t,_))){const X=H.map(W=>({...W,text:W.text.trim()})).filter(({text:W})=>W!=="");$?.type==="loop_stopped"&&(a=X);const B=$?.type==="turn_ended"?$.iteration:w,O=n.get(B)?.told??s,K=X.filter(({text:W})=>!/^Iteration \d+, /u.test(W));O.push(...K.slice(0,Math.max(0,ve-O.length)))}return{iterations:[...n.values()].map(({meta:w,...H})=>({...w,...H})),before:s,ending:a}}async function*Se(t,e){for await(const n of t)e(n),yield n}function De(t,e){let n=0;return o=>{n+=Nt(o);for(const s of t.values()){if(n<=e||s===o)return;n-=Nt(s),s.checks=s.checks.map(a=>({...a,tail:""}))}}}function Nt({checks:t}){return t.reduce((e,{tail:n})=>e+n.length,0)}function St(t){return`${new Date(t).toISOString().slice(0,19).replace("T"," ")} UTC`}function Me({exitCode:t,timedOut:e}){return t===0&&!e}function Le(t){const e=t.timedOut?"timed out":t.exitCode===null?"did not end":`exit ${t.exitCode}`,n=t.tests===null||t.tests.failed===0?[]:[`${(0,p.hS)(t.tests.failed,"test")} failed`];return`${(0,l.TN)((0,L.v8)(t))}: ${[e,(0,p.p0)(t.durationMs),...n].join(", ")}`}function Dt(t){const{agent:e,change:n,failing:o,checks:s,verdict:a,usage:m,cost:$}=t,_=t.turn_ms+s.reduce((T,{durationMs:w})=>T+w,0);return[...e===null?["its turn has not ended"]:e==="ok"?[]:[`turn: ${e.replaceAll("_"," ")}`],Re[a],...o===null||o===0?[]:[`${(0,p.hS)(o,"test")} failing`],...n===null?[]:[`${(0,p.hS)(n.files,"file")} +${n.added} −${n.removed}`],..._===0?[]:[(0,p.p0)(_)],...m===null?[]:[(0,p.hS)((0,I.RP)(m),"token")],...$===null?[]:[(0,p.dR)($)]].join(" · ")}const Re={passed:"checks passed",failed:"checks failed",cut_off:"checks cut off",unrunnable:"a check could not run",none:"not checked"};function Mt({verdict:t,agent:e}){return t==="passed"?"good":t==="none"&&(e==="ok"||e===null||e==="abandoned")?"open":"bad"}function Ie(t,{ending:e},n){return r`${Ce(t)}${Ae(t)}
    <section aria-labelledby="next">
      <h2 id="next">What you have to do</h2>
      ${Be(t)}
    </section>
    <section aria-labelledby="rule">
      <h2 id="rule">What stopped it</h2>
      ${ze(t,e)}
    </section>
    <section aria-labelledby="tests">
      <h2 id="tests">Failing tests</h2>
      ${Ke(t)}
    </section>
    <section aria-labelledby="files">
      <h2 id="files">Files changed</h2>
      ${Ge(t)}
    </section>
    <section aria-labelledby="took">
      <h2 id="took">Time, tokens, cost</h2>
      ${Xe(t)}
    </section>
    <section aria-labelledby="strip">
      <h2 id="strip">Iterations at a glance</h2>
      ${Je(n)}
    </section>`}function Ce({protection:t}){const e=(0,ue.o)(t);return r`${e.length>0&&r`<aside class="danger" aria-label="Warning">
      <p>Warning: run this only where nothing is of value.</p>
      ${gt(e)}
    </aside>`}`}function gt(t){return r`<ul>
    ${t.map(e=>r`<li>${e}</li>`)}
  </ul>`}const je={good:"good",bad:"bad",warn:"warn"};function Ae(t){const{state:e}=t,{how:n,why:o,tone:s}=N(t),a=(0,S.Yw)(e),m=e.iterations.findLast(T=>T.commit!==null)?.commit??null,$=[["Command",a===null||a.checks.length===0?"none":a.checks.map((T,w)=>r`${w>0&&", "}<code>${(0,l.TN)((0,L.v8)(T))}</code>`)],["Commit",m===null?"none":r`<code>${m.slice(0,12)}</code>`],["Iteration",`${(0,p.zD)(e.iteration)} of ${(0,p.zD)(e.max_iterations)}`],...t.branch===null?[]:[["Branch",r`<code>${(0,l.TN)(t.branch)}</code>`]]],_=(0,M.OD)(t);return r`<section aria-labelledby="verdict" class="verdict ${s in je?s:"plain"}">
    <h1 id="verdict"><span class="how">${b(n)}</span> <span class="why">${b(o)}</span></h1>
    <dl class="facts">
      ${$.map(([T,w])=>r`<div>
            <dt>${T}</dt>
            <dd>${w}</dd>
          </div>`)}
    </dl>
    ${_.length>0&&gt(_.map(T=>b(T.text)))}
  </section>`}function Be(t){const e=(0,c.sk)(t),n=Ue(t,e),o=(0,c.z6)(t.state)?.outcome.resumableBy==="nobody",s=n!==void 0&&e.endsWith(`: ${n}`)?e.slice(0,-n.length):e;return r`<p>${o&&r`<strong>Nothing</strong> to start or to answer. `}${b(s)}</p>
    ${n!==void 0&&ut("resume",n,"the command")}`}const We=/^(?:(?:waylon-)?smithers|daedalus) /u;function Ue({resume:t},e){return We.test(t)&&e.includes(t)?t:/\/smithers prd [\w.-]+ (?:retry|accept) US-[\d-]+/u.exec(e)?.[0]}function ze(t,e){if((0,c.z6)(t.state)===void 0)return r`<p>
      ${t.alive?"Nothing: it is running.":"No rule: its run was killed, or an error ended it."}
    </p>`;const n=e.length===0?[(0,c.O4)(t)]:e.map(({text:o})=>o);return gt(n.map(b))}const _t=5;function Ke({state:t}){const{baseline:e,failing:n}=t,{failing:o}=(0,S.oX)(t),s=n??(o===null?{failing:[],failing_count:0}:null);return r`<div class="pair">
    <div>
      <h3>At the start</h3>
      ${Lt(e)}
    </div>
    <div>
      <h3>Now</h3>
      ${Lt(s)}
    </div>
  </div>`}function Lt(t){if(t===null)return r`<p>Not known.</p>`;const{failing:e,failing_count:n}=t;if(n===0)return r`<p>None.</p>`;const o=e.map(a=>r`<li><code>${(0,l.Jj)((0,l.TN)(a),300)}</code></li>`),s=n-e.length;return r`<p>${(0,p.hS)(n,"test")}</p>
    <ul>
      ${o.slice(0,_t)}
    </ul>
    ${o.length>_t&&r`<details>
        <summary>${o.length-_t} more</summary>
        <ul>
          ${o.slice(_t)}
        </ul>
      </details>`}${s>0&&r`<p>${(0,p.hS)(s,"more test")} without a name here.</p>`}`}const He=/^(?<path>.*) \| (?<counts>.*)$/u;function Fe({stat:t}){return t.split(`
`).flatMap(n=>{const{path:o,counts:s}=He.exec(n)?.groups??{};return o===void 0||s===void 0?[]:[{path:o,counts:s.replace("-","−"),kind:(0,le.t7)(o)?"CI":(0,de.MQ)(o)?"test":""}]}).toSorted((n,o)=>+(n.kind==="")-+(o.kind===""))}function Ge({change:t}){if(t===null)return r`<p>Not known: nothing is measured here, or the loop's files were cleaned away.</p>`;if(t.files===0)return r`<p>None.</p>`;const e=Fe(t),n=t.files-e.length,o=e.some(({kind:s})=>s!=="");return r`<p>
      ${(0,p.hS)(t.files,"file")}, <span class="plus">+${(0,p.zD)(t.added)}</span>
      <span class="minus">−${(0,p.zD)(t.removed)}</span>
    </p>
    <div class="wide" tabindex="0" role="region" aria-label="Changed files">
      <table>
        <thead>
          <tr>
            <th scope="col">File</th>
            ${o&&r`<th scope="col">Kind</th>`}
            <th scope="col">Lines</th>
          </tr>
        </thead>
        <tbody>
          ${e.map(({path:s,kind:a,counts:m})=>r`<tr>
                <td><code>${(0,l.TN)(s)}</code></td>
                ${o&&r`<td>${a}</td>`}
                <td>${(0,l.TN)(m)}</td>
              </tr>`)}
        </tbody>
      </table>
    </div>
    ${n>0&&r`<p>${(0,p.hS)(n,"more file")}.</p>`}`}function Xe(t){const{state:e}=t,{spent:n}=e,o=e.status==="completed"||e.status==="canceled"?void 0:(0,vt.xn)(e),s=[["Time",(0,p.p0)(n.turn_ms+n.check_ms)],["Tokens",(0,p.zD)(n.tokens)],["Cost",(0,vt.vQ)(e)??"–"],...o===void 0?[]:[["Still needed",`${o} at this pace`]]];return r`<dl class="facts">
      ${s.map(([a,m])=>r`<div>
            <dt>${a}</dt>
            <dd>${m}</dd>
          </div>`)}
    </dl>
    <details>
      <summary>In detail</summary>
      ${gt((0,M.Sd)(t).map(b))}
    </details>`}function Je(t){if(t.length===0)return r`<p>No iteration has begun.</p>`;const e=t.length>Ve,[n,o]=[t[0],t.at(-1)];return r`<ol class="strip${e&&" dense"}">
      ${t.map(s=>r`<li>
            <a href="#${A(s.iteration)}" title="${Dt(s)}"
              >${C(Mt(s))}<span class="hidden">iteration </span><span class="number">${s.iteration}</span></a
            >
          </li>`)}
    </ol>
    <p class="legend">
      ✓ checks passed · ✗ failed · –
      not${Qe}checked${e&&` · from iteration ${n?.iteration} to ${o?.iteration}, in their order`}
    </p>`}const Qe=" ",Ve=60;function Rt(t,e){const{iteration:n,item:o}=t;return r`<details class="iteration searched">
    <summary>
      ${C(Mt(t))}<strong>Iteration ${n}</strong> · ${o!==null&&`${(0,l.Jj)((0,l.TN)(o),120)} · `}
      ${Ye(Dt(t))}
    </summary>
    <div id="${A(n)}" class="folded">${e}</div>
  </details>`}function Ye(t){return t.replaceAll(/(?<!·) (?!·)/gu," ")}function Ze(t,e,n){const{iteration:o,commit:s,checks:a,told:m,started_at:$}=t,{prompt:_,changes:T,message:w}=e,H=_===null&&T===null&&e.checks===null,X=A(o);return r`<p class="dim">
      Began ${St($)}${s!==null&&r`, commit <code>${s.slice(0,12)}</code>`} ·
      <a href="#${X}">#${X}</a>
    </p>
    <ul>
      ${m.map(({text:B})=>r`<li>${(0,l.Jj)(B,tn)}</li>`)}
    </ul>
    ${a.map((B,O)=>en(o,B,O+1))}
    ${n&&H&&qe} ${yt(o,"output","All that the checks said",e.checks)}
    ${n&&[on(o,T),yt(o,"prompt","Prompt",_),yt(o,"message","Last message of the agent",w)]}`}const qe=r`<p class="note">
  Its prompt, its diff and all that its checks said are not kept: only those of the last 50 iterations are.
</p>`,tn=1e3;function en(t,e,n){const o=(0,l.TN)((0,k.T9)(e)),s=`end of the output of check ${n} of iteration ${t}`,a=e.tail.trim()===""?r`<p>No output is kept here.</p>`:st(e.tail,s);return z(A(t,"check",n),r`${C(Me(e)?"good":"bad")}${Le(e)}`,r`${o!==""&&r`<p>${o}</p>`}${a}`)}function yt(t,e,n,o){if(o===null||o.text==="")return null;const s=`${n}, iteration ${t}`;return z(A(t,e),n,r`${It(o)}${st(o.text,s)}`)}function It({leftOut:t,part:e}){return t===0?null:r`<p class="note">
        Only its ${e} is shown: ${(0,p.zD)(t)} bytes are left out here, and in the loop's folder.
      </p>`}const nn=[[/^(?:diff |index |--- |\+\+\+ |\[cut: )/u,"head"],[/^@@/u,"at"],[/^\+/u,"add"],[/^-/u,"cut"]];function on(t,e){if(e===null||e.text==="")return null;const n=e.text.split(`
`).map(s=>{const a=nn.find(([m])=>m.test(s))?.[1];return[a===void 0?s:r`<span class="${a}">${s}</span>`,`
`]}),o=r`<pre class="diff" tabindex="0" role="region" aria-label="Changes, iteration ${t}">${n}</pre>`;return z(A(t,"changes"),"Changes",r`${It(e)}${o}`)}const Ct=String.raw`"use strict";
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
`,sn=1e7,At=2e3,rn=500;async function an(t,e=sn){const{view:n,withTexts:o}=t,s=await Ne(t.events),a=s.iterations.slice(-At),$={top:Ie(n,s,a),charts:Zt(a),agent:ln(t,s),stories:dn(n)},_=a.map(O=>Rt(O,Bt)),T=Wt(Kt(n,$,[Ut(s),..._],o)),w=await cn(t,a,e-T),H=a.map(O=>Rt(O,w.get(O.iteration)??Bt)),X=s.iterations.length-a.length,B=X>0&&r`<p>
      ${(0,p.hS)(X,"earlier iteration")} are not on this page: it shows the last ${(0,p.zD)(At)}.
    </p>`;return Kt(n,$,[r`${B}`,Ut(s),...H],o)}const Bt=r`<p class="note">
  What this iteration wrote is left out, because the page would be too long. It is in the loop's folder.
</p>`;async function cn({textsOf:t,withTexts:e},n,o){const s=new Map;let a=o;for(const m of n.toReversed()){const $=Ze(m,await t(m.iteration),e);if(a-=Wt($.text),a<0)break;s.set(m.iteration,$)}return s}function Wt(t){return Buffer.byteLength(t)}function Ut({before:t}){const e=t.slice(0,100);return e.length===0?r``:r`<details class="iteration searched">
    <summary>Before the first iteration</summary>
    <div id="i0" class="folded">
      <ul>
        ${e.map(({text:n})=>r`<li>${(0,l.Jj)(n,1e3)}</li>`)}
      </ul>
    </div>
  </details>`}function ln({view:t,withTexts:e},n){const{state:o}=t,{failing:s}=(0,S.oX)(o),a=o.failing?.failing??[],$=[e?`Task:
${o.prompt.trim()}`:"",`State:
${P(t).text}`,a.length===0?"":`Failing tests:
${a.map(_=>`- ${(0,l.TN)(_)}`).join(`
`)}`,s===null?"":`Last output of ${(0,l.TN)((0,L.v8)(s))}:
${s.tail.trim()||(0,k.UN)(s)}`,`Decision:
${[...n.ending.map(({text:_})=>_),`next: ${(0,c.sk)(t)}`].join(`
`)}`].filter(_=>_!=="").join(`

`);return r`${ct("for-an-agent","for an agent")}
    <details>
      <summary>Task, failing tests, last output and decision, as one text</summary>
      ${rt("for-an-agent",$,"for an agent")}
    </details>`}function dn({state:t,prd:e}){const n=(0,Q.u2)(t,e);if(n===null)return null;const o=(0,Q.gR)(n),{rows:s,rest:a}=(0,Q.NB)(n.stories,rn);return r`<p>${(0,Q.Wl)(n)}.${o!==void 0&&` At work on ${o}.`}</p>
    <ul>
      ${s.map(m=>r`<li class="searched" id="${m.id}">
            <span aria-hidden="true">${Q.t5[m.status]}</span> <strong>${m.id}</strong> ${(0,Q._Q)(m)}:
            ${(0,Q.sV)(m)}${m.commit!==null&&r`, <code>${m.commit.slice(0,12)}</code>`}
          </li>`)}
    </ul>
    ${a!==""&&r`<p>${a}.</p>`}`}function zt(t){return`'sha256-${(0,J.createHash)("sha256").update(t).digest("base64")}'`}function un(){return["default-src 'none'",`script-src ${zt(Ct)}`,`style-src ${zt(jt)}`,"img-src data:","base-uri 'none'","form-action 'none'"].join("; ")}const mn=r`<p class="note">
  Prompts, messages of the agent and diffs are left out of this page, because its readers may not be those who may see
  them.
</p>`;function Kt(t,e,n,o){const{loop_id:s,generation:a,updated_at:m,iteration:$}=t.state,_=$===0?"None has begun.":"The events of this loop are gone, so they are not known.",T=n.every(({text:w})=>w==="")?r`<p>${_}</p>`:r`${n}`;return r`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        ${new Y(`<meta http-equiv="Content-Security-Policy" content="${un()}">`)}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>Loop ${s}</title>
        ${new Y(`<style>${jt}</style>`)}
      </head>
      <body>
        <a class="skip" href="#iterations">To the iterations</a>
        <main>${e.top} ${o?null:mn} ${fn(e,T)}</main>
        <footer>
          <p>
            Loop ${s}, generation ${a}, as of ${St(m)}. Made by smithers; nothing on this page is loaded or sent.
          </p>
        </footer>
        ${new Y(`<script>${Ct}<\/script>`)}
      </body>
    </html> `.text}function fn({charts:t,agent:e,stories:n},o){const s=(a,m,$)=>r`<section aria-labelledby="${a}">
      <h2 id="${a}">${m}</h2>
      ${$}
    </section>`;return r`${s("agent","Copy for an agent",e)} ${s("charts","Charts",t)}
    <form id="search" role="search" hidden>
      <label for="search-for">Search iterations${n!==null&&" and stories"}</label>
      <input id="search-for" type="search" autocomplete="off" />
      <p id="search-found" role="status" class="dim"></p>
    </form>
    ${s("iterations","Iterations",o)}
    ${n!==null&&s("stories","Stories",n)}`}}),me34b18:((at,F,f)=>{f.d(F,{o:()=>L});const J="sandbox danger-full-access: the agent may change or delete anything you can, and use the network.",k=/^--yolo$|^--dangerously-|danger-full-access/u;function L(v){const l=v.providerArgs.filter(S=>k.test(S));return[...v.sandbox==="danger-full-access"?[J]:[],...l.map(S=>`${S}: the agent's own approvals or sandbox are switched off.`)]}function p(v){const l=L(v);return l.length===0?[]:["!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!  WARNING  !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!",...l,"Run this only where nothing is of value: a container or a virtual machine.","!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!"]}}),me07f80:((at,F,f)=>{f.d(F,{Cl:()=>u,HX:()=>nt,Lq:()=>E,k0:()=>R,nx:()=>ot,tY:()=>j,yt:()=>Q});var J=f("md3f2d5"),k=f("m521ef3"),L=f("m0ec62e"),p=f("md61422"),v=f("m20624b"),l=f("m5002c5"),S=f("m0b5f83"),x=f("mef5322"),c=f("m962097"),G=f("m9d6e92"),M=f("m3104e1");function u(i,r){switch(i.type){case"loop_started":{const b=i.generation>1?`, generation ${i.generation}`:"",A=(0,x.hS)(i.max_iterations,"iteration");return[(0,c.n8)(`loop ${i.loop_id} started: ${A} at most${b}`,"strong"),...(0,M.VE)(i,r)]}case"loop_resumed":return[(0,c.n8)(`loop ${r.loop_id} resumed: ${(0,x.hS)(r.iteration,"iteration")} begun so far`,"strong"),...(0,M.VE)(i,r)];case"turn_abandoned":return[(0,c.n8)(`iteration ${i.iteration} was cut short when its run died; it counts`,"warn"),...it(i)];case"turn_started":return[(0,c.n8)(N(i,r),"strong")];case"session_opened":return[(0,c.n8)(`${i.replaces===void 0?"":"fresh "}session ${(0,c.TN)(i.session_id)}`,"dim")];case"turn_ended":return Z(i,r);case"proved":return d(i,nt(i.verdict,r));case"reviewed":return[];case"wait_started":return[(0,c.n8)(E(i,r.not_before),"warn")];case"settled":return[...it(i),...(0,M.QM)(i,r)];case"story_examined":return(0,M.LK)(i);case"story_given_up":return[(0,M.QN)(i.story)];case"story_shelved":return(0,M.cv)(i);case"story_ruled":return[(0,M.bw)(i)];case"loop_stopped":{const{reason:b}=i,{status:A,sentence:tt,exitCode:C}=(0,L.sG)(b),z=b.kind==="head_moved"?[(0,c.n8)((0,G.l)(b),"warn")]:[];return[(0,c.n8)(`loop ${A} (${b.kind}): ${tt}`,C===0?"good":"warn"),...z,...P(i)]}case"reset":return[(0,c.n8)(`${i.what} reset by ${(0,c.TN)(i.by)}`)];case"published":return i.pull_request===null?[]:[(0,c.n8)(`pull request ${i.pull_request.url}`,"strong")]}}function P({submodules:i=[]}){if(i.length===0)return[];const r=i.map(c.TN).join(", ");return[(0,c.n8)(`the commit moves a submodule to another commit (${r}): push that one first, from there`,"warn")]}function N(i,{stories:r}){const{iteration:b,session:A,item:tt,provider:C}=i,z=r&&(0,p.zv)(r,tt.id)?.attempts,st=z===null?"":`, ${tt.id} ${(0,c.TN)(tt.title)} (attempt ${z??1})`,rt=C===void 0?"":`, by ${(0,c.TN)(C)}`;return`iteration ${b} started, ${A} session${st}${rt}`}function R(i){return i===null?"changes not measured":i.files===0?"no file changed":`${(0,x.hS)(i.files,"file")} changed (+${i.added} -${i.removed})`}function j(i){const{exitCode:r,timedOut:b,durationMs:A}=i,[tt,C]=q(i)?["passed","good"]:["failed","bad"],st=[b?"timed out":r===null?"did not end":`exit ${r}`,(0,x.p0)(A),(0,S.yp)(i)].filter(ct=>ct!==void 0).join(", "),rt=q(i)?"":(0,c.TN)((0,v.T9)(i));return(0,c.n8)(`check ${tt} (${st}): ${(0,c.TN)((0,S.v8)(i))}${rt===""?"":`: ${rt}`}`,C)}function Z(i,{artifacts:r}){const{change:b,usage:A,duration_ms:tt,failure:C,claim:z,tally:st,undone:rt=[]}=i,{hint:ct,blocked:ut,person:mt}=z,ft=C===null?(0,k.QX)(z,st):null,ht=`${R(b)}, ${(0,x.zD)((0,J.RP)(A))} tokens, ${(0,x.p0)(tt)}`;return[C===null?(0,c.n8)(`agent ended its turn: ${ht}`):(0,c.n8)(`agent failed (${C.kind}): ${(0,c.TN)(C.message)}; ${ht}`,"bad"),...C?.next===void 0?[]:[(0,c.n8)(`what helps: ${(0,c.TN)(C.next)}`,"warn")],...C===null&&(0,k.vF)(z,st)?[(0,c.n8)("agent claims to be done","good")]:[],...ft===null?[]:[(0,c.n8)(`claim names unfinished work: ${(0,c.TN)(ft)}`,"warn")],...ct===null?[]:[(0,c.n8)(`claim does not count: ${(0,c.TN)(ct)}`,"warn")],...ut===null?[]:[(0,c.n8)(`agent is blocked: ${(0,c.TN)(ut)}`,"warn")],...mt===void 0?[]:[(0,c.n8)(`agent needs a person: ${(0,c.TN)(mt)}`,"warn")],...rt.map(bt=>(0,M.w$)(bt,r.dir))]}function nt(i,{phase:r,last_turn:b,plan:A}){if(!(r==="unsettled"&&b!==null&&b.failure===null&&(0,k.vF)(b.claim,A))||i.result!=="failed"||i.occasion!==void 0)return;const C=i.checks.filter(z=>!q(z)).map(z=>(0,c.TN)((0,S.v8)(z)));return`claim refused: ${C.join(", ")} ${C.length===1?"is":"are"} red`}function q(i){return i.exitCode===0&&!i.timedOut}function it(i){return[...i.commit?[(0,c.n8)(`committed ${i.commit}`,"dim")]:[],...P(i)]}function d({verdict:i,weaknesses:r},b){return[...i.checks.map(j),...h(i),...b===void 0?[]:[(0,c.n8)(b,"bad")],...i.result==="cut_off"?[(0,c.n8)("checks cut off before they had ended","warn")]:[],...i.result==="unrunnable"?[(0,c.n8)(`check cannot run: ${(0,c.TN)(i.problem.what)}`,"bad")]:[],...(0,l.pZ)(r).map(A=>(0,c.n8)(`weak proof: ${(0,c.TN)(A)}`,"warn"))]}function h({occasion:i,result:r}){if(i===void 0)return[];const b="checks asked between claims, because the turn changed something";return r==="passed"?[(0,c.n8)(`${b}: green proves nothing by itself, and the agent is told to say if it is done`)]:r==="failed"?[(0,c.n8)(`${b}: the next turn is told what is red`)]:[(0,c.n8)(b)]}const g={interval:"the interval between iterations",rate_limit:"the provider limits the rate of requests",usage_limit:"the provider's usage limit is reached",calls_per_hour:"the calls of this hour are used up",tokens_per_day:"the tokens of this day are used up"};function E(i,r){const b=(0,c.TN)(r?.message??"").slice(0,200);return`waiting until ${i.until}: ${g[i.why]}${b===""?"":` (${b})`}`}const y=300,D=4e3,U=3;function ot(i){switch(i.type){case"session.started":return"the agent is starting";case"message":return`the agent says: ${I(i.text)}`;case"reasoning":return`the agent thinks: ${I(i.text)}`;case"output":return`the agent prints: ${I(i.text)}`;case"command.started":return`the agent runs: ${I(i.command)}`;case"check.started":return`checking: ${I(i.command)}`;case"turn.retrying":return`${i.failure.kind}: ${V(i)}`;case"command.ended":case"files.changed":case"permission.denied":case"tool.used":return"the agent is thinking";case"check.ended":case"notice":case"usage":case"turn.completed":case"turn.failed":return}}function Q(i){switch(i.type){case"message":return(0,c.n8)(`agent says: ${I(i.text)}`,"dim");case"output":return(0,c.n8)(`agent prints: ${I(i.text)}`,"dim");case"command.ended":return(0,c.n8)(`agent ran (${Y(i.exitCode)}): ${I(i.command)}`,"dim");case"files.changed":return(0,c.n8)(`agent changed ${et(i.changes.map(r=>r.path))}`,"dim");case"tool.used":return(0,c.n8)(`agent used ${I(i.name)}${i.failed?", which failed":""}`,"dim");case"permission.denied":return(0,c.n8)(`agent was not allowed: ${I(i.what)}`,"warn");case"notice":return(0,c.n8)(`notice: ${I(i.text,D)}`,"dim");case"turn.retrying":{const r=`attempt ${i.attempt}, ${V(i)}`;return(0,c.n8)(`agent failed (${i.failure.kind}), ${r}: ${I(i.failure.message)}`,"warn")}case"check.started":return(0,c.n8)(`check started: ${I(i.command)}`,"dim");case"session.started":case"reasoning":case"command.started":case"check.ended":case"usage":case"turn.completed":case"turn.failed":return}}function V({delayMs:i}){return`trying again ${i===0?"at once":`in ${(0,x.p0)(i)}`}`}function I(i,r=y){const b=(0,c.TN)(i);return b.length>r?`${b.slice(0,r)}…`:b}function Y(i){return i===null?"no exit code":`exit ${i}`}function et(i){const r=i.slice(0,U).map(c.TN).join(", "),b=i.length-U;return`${(0,x.hS)(i.length,"file")}: ${r}${b>0?` and ${b} more`:""}`}}),m9d6e92:((at,F,f)=>{f.d(F,{k:()=>M,l:()=>S});var J=f("mc02145"),k=f("m5002c5"),L=f("m84a7d2"),p=f("mf5f11f"),v=f("mef5322"),l=f("m962097");function S({from:u,to:P}){const N=`It was ${x(u)}, and is ${x(P)}.`;if(u.branch!==void 0&&u.branch!==P.branch){const q=u.branch===null?`--detach ${c(u.head)}`:(0,l.TN)(u.branch);return`${N} \`git switch ${q}\` goes back.`}if(u.head===null)return`${N} \`git update-ref -d HEAD\` puts it back and keeps the files.`;const[j,Z]=[c(u.head),c(P.head)],nt=`If \`git log ${Z}..${j}\` names commits, they were undone, and the files that they brought are missing: \`git checkout ${j} -- FILE\` brings them back, else the story's commit deletes them.`;return`${N} \`git reset --soft ${j}\` puts it back and keeps the files; what came is still ${Z} then. Your own commit can stay: the loop builds on it. ${nt}`}function x({head:u,branch:P}){const N=u===null?"before the first commit":`at ${c(u)}`;return P===void 0?N:`${P===null?"on no branch":`on ${(0,l.TN)(P)}`}, ${N}`}function c(u){return String(u).slice(0,12)}function G({why:u,run:P,job:N,cause:R}){const j=u==="green_here"?"The checks here are green before anything was changed":"The checks are green although nothing was changed";return`Job ${(0,l.TN)(N)} of ${(0,l.TN)(P)} was red. ${j}. Cause, as far as it shows: ${L.hE[R]}.`}function M(u,P){switch(u.kind){case"promise":case"done_token":case"dual_gate":case"exit_signal":return u.verified?"":"No check is configured, so nobody but the agent says so.";case"plan_complete":return u.verified?"":"No check is configured, so nothing but the plan says so.";case"success_command":case"already_green":return`Command: ${(0,l.TN)(u.command)}`;case"stories_passed":return`${(0,v.zD)(u.passed)} of the PRD's ${(0,v.zD)(u.total)} stories have passed.`;case"story_review":return`${u.story} ${(0,l.TN)(u.title)}${u.commit===null?"":`: commit ${u.commit}`}`;case"story_blocked":return`${u.story}: ${(0,l.TN)(u.why)}`;case"stories_blocked":{const N=u.waiting===0?[]:[`${u.waiting} more wait for these.`];return[...u.stories.map(({id:R,why:j})=>`${R}: ${(0,l.TN)(j)}`),...N].join(" ")}case"hard_stop":return u.hits.map(({line:N,text:R,vanished:j})=>`${j===!0?"gone":`line ${N}`}: ${(0,l.TN)(R)}`).join("; ");case"paused":case"stopped":case"canceled":return`Asked for by: ${(0,l.TN)(u.by)}`;case"superseded":return`The other run: ${(0,l.TN)(u.by)}`;case"carriers_unreachable":return u.unanswered.map(({carrier:N,why:R})=>`${N}: ${(0,l.TN)(R)}`).join(" ");case"time_budget":return"";case"max_iterations":return(0,v.hS)(u.max,"iteration");case"tokens":return`${(0,v.zD)(u.spent)} of ${(0,v.zD)(u.max)} tokens`;case"total_time":return`${(0,v.p0)(u.spent)} of ${(0,v.p0)(u.max)}`;case"agent_blocked":return(0,l.TN)(u.why);case"permission_denied":return u.denied.map(({what:N,allow:R})=>`${(0,l.TN)(N)}: ${(0,l.TN)(P(R))}`).join(" ");case"question":return(0,l.TN)(u.question);case"unfinished":return`It says: "${(0,l.TN)(u.said)}"`;case"proof_accepted":return(0,l.em)(`By ${(0,l.TN)(u.by)}, ${u.at}. ${(0,l.TN)((0,k.pZ)(u.weaknesses).join("; "))}`);case"weak_proof":return(0,l.em)((0,l.TN)((0,k.pZ)(u.weaknesses).join("; ")));case"reviewer_vetoes":return(0,l.em)((0,l.TN)((0,p.EJ)(u.objections).join("; ")));case"protected_paths":case"too_large":return(0,l.em)((0,l.TN)((0,J.WW)(u)));case"flaky":return`${(0,l.TN)(u.command)} was ${u.other===void 0?"red and green":"red for different tests"} on the same files${u.tests.length===0?"":`: ${(0,l.TN)(u.tests.join(", "))}`}.`;case"not_reproduced":return G(u);case"head_moved":return S(u);case"no_progress":case"same_error":case"test_loops":case"missing_status":return(0,v.hS)(u.count,"iteration");case"rate_limit":case"usage_limit":return`Until ${u.until}: ${(0,l.TN)(u.message)}`;case"tokens_per_day":return`Until ${u.until}: ${(0,v.zD)(u.max)} tokens a day`;case"calls_per_hour":return`Until ${u.until}: ${(0,v.hS)(u.max,"call")} an hour`;case"auth":case"config":case"sandbox_broken":case"provider":{const{kind:N,message:R,next:j}=u.failure;return`${N}: ${(0,l.TN)(R)}${j===void 0?"":` ${(0,l.TN)(P(j))}`}`}case"gate_unrunnable":case"commit_refused":return`${(0,l.TN)(u.problem.what)} ${(0,l.TN)(P(u.problem.next))}`}}}),mba8df2:((at,F,f)=>{f.d(F,{Ge:()=>v,ON:()=>S,U7:()=>p});var J=f("mf5f11f"),k=f("mef5322"),L=f("m962097");function p({review:x}){const{answer:c,why:G,objections:M,iteration:u,vetoes:P}=x;switch(c){case null:return;case"clear":return`Another session reviewed the work of iteration ${u} and holds nothing against it.`;case"veto":return`Another session reviewed the work of iteration ${u} and vetoed it${P>1?` (veto ${P})`:""}: ${l((0,J.EJ)(M))}.`;case"unreadable":case"failed":return`The review of iteration ${u} gave no answer that counts, so nobody has vetoed the work: ${(0,L.TN)(G)}.`}}function v({review:x}){return x.answer!==null&&x.answer!=="clear"}function l(x){return x.map(c=>`"${(0,L.TN)(c)}"`).join("; ")}function S({review:{spent:x}}){const{reviews:c,tokens:G,input_tokens:M,cached_input_tokens:u,output_tokens:P,ms:N}=x;if(!(c===0&&G===0))return`Reviews: ${(0,k.hS)(c,"session")}, ${(0,k.p0)(N)}. Tokens, not among the others: ${(0,k.zD)(G)} (${(0,k.zD)(M)} in, of which ${(0,k.zD)(u)} cached; ${(0,k.zD)(P)} out).`}}),m3104e1:((at,F,f)=>{f.d(F,{LK:()=>x,QM:()=>l,QN:()=>S,VE:()=>P,bw:()=>u,cv:()=>G,w$:()=>M});var J=f("md61422"),k=f("mf62150"),L=f("mef5322"),p=f("m962097"),v=f("mc2cfc0");function l({story:d,commit:h},{stories:g}){if(d===void 0)return[];if(d.ends==="blocked")return[S(d)];const E=(0,p.TN)((g&&(0,J.zv)(g,d.id)?.title)??""),y=(0,v.p6)(d),D=(0,v.aJ)(y)?`; ${(0,v.is)(y)}`:"",U=h===null?", without a commit because nothing had to be changed":"";return[(0,p.n8)(`${d.id} has passed${U}: ${E}${D}`,"good")]}function S({id:d,kind:h,why:g}){return(0,p.n8)(`${d} is blocked (${h}): ${(0,p.TN)(g)}`,"warn")}function x({id:d,before:h,others:g}){const E=h.filter(({green:et})=>!et).length,y=E===0?"":", which its work has to turn green",D=(0,p.n8)(`${d} before it begins: ${E} of ${(0,L.hS)(h.length,"command")} red${y}`,"dim");if(g===void 0)return[D];const U=`${g.red.length} of ${(0,L.hS)(g.asked,"command")}`,ot=g.red.slice(0,c).map(({story:et,run:i})=>(0,p.TN)(`${et}: ${i}`)),Q=g.red.length-ot.length,V=`: ${ot.join("; ")}${Q>0?` and ${Q} more`:""}`,I=g.red.length===0?"":`${V}. This is not held against ${d}`,Y=g.red.length===0?"dim":"warn";return[...h.length===0?[]:[D],(0,p.n8)(`${d} before it begins: ${U} of stories that have passed red${I}`,Y)]}const c=5;function G({id:d,patch:h}){return h===null?[]:[(0,p.n8)(`${d}: its unfinished work is out of the work tree, in ${h} of the loop's folder`,"warn")]}function M(d,h){const g=`${(0,p.TN)(d.file)} was changed during a turn, by the agent or somebody else, and is put back: ${(0,k.G)(d,h)}`;return(0,p.n8)(g,"warn")}function u({id:d,ruling:h,by:g,words:E}){const y=E===null?"":`: ${(0,p.TN)(E)}`;return(0,p.n8)(`${d} is ${h==="accept"?"accepted":"to be tried again"}, says ${(0,p.TN)(g)}${y}`,"strong")}function P({stories:d},{stories:h}){if(d===void 0||h===null)return[];const g=h.records.filter(({state:y,gone:D})=>y==="passed"&&!D),E=(y,D,U="warn")=>D.length===0?[]:[(0,p.n8)(`${y}: ${R(D.map(({id:ot})=>ot))}`,U)];return[(0,p.n8)(`stories of ${d.prd}: ${(0,L.zD)(d.stories.length)}, of which ${(0,L.zD)(g.length)} have passed`),...E("passed by the file alone, not proved here",g.filter(({passing:y})=>y?.how==="taken_over")),...E("changed since they passed, and wait for retry",g.filter(({changed:y})=>y)),...E("no longer in the PRD",h.records.filter(({gone:y})=>y),"dim")]}const N=20;function R(d){const h=d.length-N;return`${d.slice(0,N).join(", ")}${h>0?` and ${h} more`:""}`}function j({state:d,prd:h}){const g=storiesReport(d,h);if(g===null)return[];const E=activeText(g),{rows:y,rest:D}=shownStories(g.stories);return[line(`PRD ${g.prd}: ${tallyText(g)}.`,"strong"),...E===void 0?[]:[line(`Story at work: ${E}`)],...Z(y),...D===""?[]:[line(`  … ${D}`,"dim")],...g.undone.map(U=>M(U,d.artifacts.dir))]}function Z(d){return d.map(h=>line(nt(h),it[h.status]))}function nt(d){const h=d.commit===null?"":`; commit ${d.commit.slice(0,7)}`;return`  ${q(d)} ${d.id} ${shownTitle(d)}: ${standText(d)}${h}`}function q({status:d}){return hasPassed({status:d})?"[x]":d==="blocked"?"[!]":d==="in_progress"?"[>]":"[ ]"}const it={passed:"good",accepted:"good",taken_over:"plain",blocked:"warn",in_progress:"strong",waiting:"dim",pending:"plain"}}),m382078:((at,F,f)=>{f.d(F,{OD:()=>P,Sd:()=>Z,nM:()=>q});var J=f("m0b5f83"),k=f("mef5322"),L=f("mf174de"),p=f("mfcb333"),v=f("mc59343"),l=f("m4c721d"),S=f("me07f80"),x=f("m962097"),c=f("mba8df2"),G=f("m9d6e92"),M=f("m3104e1"),u=f("m7358cf");function P(d){const{state:h}=d,g=(0,c.U7)(h),E=y=>y.filter(D=>D!==void 0).map(D=>(0,x.n8)(D,"warn"));return[...E([(0,l.g_)(h),(0,l.mF)(h)]),...g===void 0?[]:[(0,x.n8)(g,(0,c.Ge)(h)?"warn":"plain")],...E([(0,l.gy)(h),(0,l.qC)(h),(0,l.W1)(h),(0,l.b9)(h),(0,l.w7)(h)]),...E([(0,u.YM)(d)]),...(0,u.dN)(h).map(y=>(0,x.n8)(`hard_stop_pending: line ${y.line} still wants a person: ${(0,x.TN)(y.text)}`,"warn"))]}function N(d){const{state:h}=d;return[...dangerBanner(d.protection).map(g=>line(g,"bad")),...R(d),...P(d),...storySummary(d),...j(d),...Z(d).map(g=>line(g)),line(`Progress: ${progressText(h)}.`),line(`Calls of the agent: ${callsText(h)}.`),line(`Circuit: ${circuitText(h)}.`,h.circuit.state==="CLOSED"?"plain":"warn"),...it(d),line(`Next: ${nextStep(d)}`,"strong")]}function R(d){const{state:h}=d,g=shownStatus(d),E=endingOf(h);if(E===void 0){const U=d.alive?"The loop is running.":"The last run ended without an ending: it was killed, or an error ended it.";return[line(`${oneLine(h.loop_id)}: ${g}. ${U}`,d.alive?"strong":"warn")]}const y=E.outcome.exitCode===0?"good":"warn",D=reasonDetail(E.reason,d.word);return[line(`${oneLine(h.loop_id)}: ${g} (${E.reason.kind}). ${E.outcome.sentence}`,y),...D===""?[]:[line(`  ${D}`,y)]]}function j(d){const{result:h,sentence:g,failing:E}=proofOf(d.state),y=[line(g,h==="verified"?"good":"warn")];if(E===null)return y;const D=lastLines(E.tail,15);return D.length>0&&y.push(line(`Last lines of \`${oneLine(checkLabel(E))}\`:`,"dim")),[...y,...D.map(U=>line(`  | ${U}`,"dim"))]}function Z({state:d,word:h}){const{iteration:g,max_iterations:E,spent:y}=d,{tokens:D,input_tokens:U,cached_input_tokens:ot,output_tokens:Q,resumes:V}=y,I=(0,c.ON)(d),Y=V>0?`; resumed ${V===1?"once":`${V} times`}`:"";return[`Iterations: ${g} of ${E}. Tokens: ${(0,k.zD)(D)} (${(0,k.zD)(U)} in, of which ${(0,k.zD)(ot)} cached; ${(0,k.zD)(Q)} out).`,`Time: ${(0,k.p0)(y.turn_ms)} in ${(0,k.hS)(y.turns,"turn")}, ${(0,k.p0)(y.check_ms)} in checks${Y}.`,...I===void 0?[]:[I],...nt(d).map(h)]}function nt(d){const[h,g]=[(0,v.rs)(d),(0,v.xn)(d)];return h===void 0?d.spent.turns===0?[]:["Cost: unknown; no price of the model is known. --model or --prices would tell."]:[`Cost: ${h}, by list prices of ${p.nx} unless prices or the agent says another${g===void 0?"":`; ${g} at this pace`}.`]}function q({change:d}){return`Since the loop began: ${(0,S.k0)(d)}.`}function it(d){const h=lastLines(d.change?.stat??"",Number.MAX_SAFE_INTEGER).slice(0,10);return[...d.branch===null?[]:[line(`Branch: ${oneLine(d.branch)}`)],line(q(d)),...h.map(g=>line(`  ${g}`,"dim")),line(`State: ${d.stateFile}`,"dim"),line(`Logs and messages: ${d.folder}`,"dim")]}})};export{hn as id,pn as ids,$n as modules};
//# sourceMappingURL=report-page.js.map
