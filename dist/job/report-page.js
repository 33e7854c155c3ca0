const pn="report-page",$n=["report-page","shared-views-reason"],gn={mfcb333:((at,F,f)=>{f.d(F,{ho:()=>v,nx:()=>J,xx:()=>M});const J="2026-11-24",k=/-\d{4}-\d{2}-\d{2}$/u;function M(d,P,x){if(d===null)return;const c=d.replace(k,"");return P.get(d)??P.get(c)??x.find(G=>G.model===c)}const $=1e6;function v({input:d,cachedInput:P,output:x},c){const L=Math.max(0,d-P)*c.input+Math.min(P,d)*c.cachedInput+x*c.output;return Math.ceil(Math.round(L*$)/$)}}),m77b224:((at,F,f)=>{f.d(F,{reportPage:()=>cn});var J=f("mf203b1"),k=f("m20624b"),M=f("m0b5f83"),$=f("mef5322"),v=f("me07f80"),d=f("m962097"),P=f("m4c721d"),x=f("m9d6e92"),c=f("m7358cf"),G=f("m3104e1"),L=f("m382078");function m(t){return[...dangerBanner(t.protection).map(e=>line(e,"bad")),N(t),...doubts(t),...storySummary(t),...nt(t),line(`Changed: ${q(t)}`),...u(t),line(`Took: ${g(t)}${p(t)}`,"dim"),line(`Next: ${nextStep(t)}`,"strong")]}function N(t){const{how:e,why:n,tone:o}=S(t);return(0,d.n8)(`${e} ${n}`,o)}function S(t){const{state:e,alive:n}=t,o=t.isGone===!0?void 0:(0,c.z6)(e),{result:s,sentence:a}=(0,P.oX)(e,"no tests"),l=(K,W="")=>`${K} ${(0,d.TN)(e.loop_id)}: ${(0,c.t1)(t)}${W}.`;if(o===void 0){const K=`${(0,c.XZ)(t)}${n?"":` ${a}`}`;return{how:l("–"),why:K,tone:n?"strong":"warn"}}const{outcome:h,reason:_}=o,T=(0,x.k)(_,t.word),w=h.exitCode===0,H=T===""||j(_.kind)?[]:[/[.!?"]$/u.test(T)?T:`${T}.`],X=[h.sentence,...H,a].join(" "),B=w&&s!=="unchecked"?"✓":w||R.test(h.status)?"–":"✗",O=w?s==="unchecked"?"warn":"good":"warn";return{how:l(B,` (${_.kind})`),why:X,tone:O}}const R=/^(?:paused_|waiting$|canceled$)/u;function j(t){return t==="success_command"||t==="already_green"}const Z=5;function nt({state:t}){const{failing:e}=proofOf(t);if(e===null)return[];const n=t.baseline?.failing_count,o=n===void 0?"":` (${n} at the start)`,{failing:s}=t;if(s===null||s.failing_count===0){const T=oneLine(whyRed(e));return[line(`Failing: ${oneLine(checkLabel(e))}${T===""?"":`: ${T}`}`,"bad")]}const a=s.failing.slice(0,Z).map(T=>cut(oneLine(T),100)),l=s.failing_count-a.length,h=l>0?` and ${l} more`:"",_=a.length===0?failedTests(e):`${a.join(", ")}${h}`;return[line(`Failing: ${counted(s.failing_count,"test")}${o}: ${_}`,"bad")]}function q({change:t,branch:e,state:n}){const s=(t?.stat??"").split(`
`).map(_=>oneLine(_.replace(/ \| .*$/u,""))).filter(_=>_!=="").slice(0,Z),a=(t?.files??0)-s.length,l=a>0?` and ${a} more`:"",h=n.iterations.findLast(_=>_.commit!==null)?.commit;return[`${changeText(t)}${s.length===0?"":`: ${s.join(", ")}${l}`}`,...e===null?[]:[`on ${oneLine(e)}`],...h==null?[]:[`last commit ${h.slice(0,12)}`]].join(", ")}const it=/<promise>|^[A-Z_]{3,}:|^-{3,}/u;function u({state:t}){const e=(t.last_turn?.summary??"").replace(/^NOTES:[^]*/mu,""),o=lastLines(e,Number.MAX_SAFE_INTEGER).map(oneLine).findLast(s=>s!==""&&!it.test(s));return o===void 0?[]:[line(`Agent: "${cut(plainText(o),160)}"`)]}function p({state:t}){const e=t.status==="completed"||t.status==="canceled"?void 0:forecastText(t);return e===void 0?"":`; ${e} at this pace`}function g({state:t}){const{iteration:e,max_iterations:n,spent:o}=t,s=duration(o.turn_ms+o.check_ms),a=costOrNone(t),l=[s,counted(o.tokens,"token"),...a===void 0?[]:[a]].join(", ");return`${grouped(e)} of ${counted(n,"iteration")}, ${l}`}const E=60,y=new Map([["completed","good"],["running","strong"],["canceled","dim"]]);function D(t){return t.map(n=>({row:n,at:Date.parse(n.state.updated_at)})).toSorted((n,o)=>o.at-n.at).map(({row:n})=>n)}function U(t,e){const n=t.map(a=>({texts:ot(a,e),status:a.status})),o=[],s=a=>o[a]??0;for(const{texts:a}of n)for(const[l,h]of a.entries())o[l]=Math.max(s(l),h.length);return n.map(({texts:a,status:l})=>{const h=a.map((_,T)=>_.padEnd(s(T))).join("  ");return line(h.trimEnd(),y.get(l)??"plain")})}function ot({state:t,status:e,where:n},o){const s=duration(Math.max(0,o-Date.parse(t.updated_at))),a=t.stories===null?firstLine(t.prompt.trim()):`PRD ${t.stories.prd}`,l=oneLine(a),h=oneLine(t.loop_id);return[n===""?h:`${h} (in ${oneLine(n)})`,e,`${t.iteration} of ${t.max_iterations}`,`${s} ago`,l.length>E?`${l.slice(0,E)}…`:l]}var Q=f("mc2cfc0"),Y=f("maf4b51"),I=f("md3f2d5");class V{text;constructor(e){this.text=e}}function et(t){return(0,d.wh)(t).replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;").replaceAll('"',"&quot;").replaceAll("'","&#39;")}function i(t){return t==null||t===!1?"":t instanceof V?t.text:typeof t=="string"?et(t):typeof t=="number"?String(t):t.map(i).join("")}function r(t,...e){return new V(t.map((n,o)=>n+i(e[o])).join(""))}function b(t,e=[]){const[n="",...o]=e.toSorted((l,h)=>h.length-l.length);if(n===""){const l=t.split(/`([^`]+)`/u);return r`${l.map((h,_)=>_%2===0?h:r`<code>${h}</code>`)}`}const s=t.split(`\`${n}\``),a=n.includes("`")?s.flatMap(l=>l.split(n)):s;return r`${a.map((l,h)=>[h>0&&r`<code>${n}</code>`,b(l,o)])}`}function A(t,e="",n){return[`i${t}`,...e===""?[]:[e],...n===void 0?[]:[n]].join("-")}const tt={good:["✓","passed"],bad:["✗","failed"],open:["–","not proved"]};function C(t){const[e,n]=tt[t];return r`<span class="mark ${t}" aria-hidden="true">${e}</span><span class="hidden">${n}:</span> `}function z(t,e,n,o="fold"){return r`<details class="${o}">
    <summary>${e}</summary>
    <div id="${t}" class="folded">${n}</div>
  </details>`}function st(t,e){return r`<pre tabindex="0" role="region" aria-label="${e}">${t}</pre>`}function rt(t,e,n){return new V(`<pre id="${t}" tabindex="0" role="region" aria-label="${et(n)}">${et(e)}</pre>`)}function ct(t,e){return r`<button type="button" data-copy="${t}" hidden>Copy<span class="hidden"> ${e}</span></button>`}function ut(t,e,n){return r`<div class="copyable">${rt(t,e,n)}${ct(t,n)}</div>`}const mt="http://www.w3.org/2000/svg",ft=new Set(["aria-label","aria-description","style"]);class ht{#t;constructor(e){this.#t=e}get text(){return et(this.#t)}}class pt{namespaceURI=mt;localName;ownerDocument;childNodes=[];#t=new Map;constructor(e,n){this.localName=e,this.ownerDocument=n}setAttribute(e,n){this.#t.set(e,String(n))}removeAttribute(e){this.#t.delete(e)}appendChild(e){return this.childNodes.push(e),e}insertBefore(e){return this.appendChild(e)}set textContent(e){this.childNodes.splice(0,1/0,new ht(String(e)))}get text(){if(this.localName==="style")return"";const n=[...this.#t].filter(([o])=>!ft.has(o)).map(([o,s])=>` ${o}="${et(s)}"`).join("");return`<${this.localName}${n}>${this.childNodes.map(({text:o})=>o).join("")}</${this.localName}>`}}class bt{documentElement=new pt("html",this);createElementNS(e,n){return new pt(n,this)}}function Ft(t,e){const n=[t(new bt)].filter(o=>o instanceof pt);for(const o of n)for(const[s,a]of Object.entries(e))o.setAttribute(s,a);return new V(n.map(({text:o})=>o).join(""))}const xt=150,Tt=t=>()=>({name:t,one:1}),Gt=[{name:"hours",one:36e5},{name:"minutes",one:6e4}];function Xt(t){const e=Math.max(...t.map(({time:n})=>n));return Gt.find(({one:n})=>e>=2*n)??{name:"seconds",one:1e3}}function Jt(t){const e=t.checks.reduce((n,{durationMs:o})=>n+o,0);return{iteration:t.iteration,failing:t.failing,tokens:t.usage===null?null:(0,I.RP)(t.usage),cost:t.cost,time:t.turn_ms+e,added:t.change?.added??null,removed:t.change?.removed??null}}function Qt(t){const e=Math.ceil(t.length/xt);return t.flatMap((n,o)=>{if(o%e!==0)return[];const s=t.slice(o,o+e),a=l=>Ot(s.map(l));return{from:n.iteration,to:s.reduce((l,{iteration:h})=>h,n.iteration),failing:s.reduce((l,{failing:h})=>h??l,null),tokens:a(({tokens:l})=>l),cost:a(({cost:l})=>l),time:s.reduce((l,{time:h})=>l+h,0),added:a(({added:l})=>l),removed:a(({removed:l})=>l)}})}function Ot(t){return t.reduce((e,n)=>n===null?e:n+(e??0),null)}const Yt="–",dt=(t,e)=>t===null?Yt:e(t),Vt=[{id:"chart-failing",name:"Failing tests after each iteration",unit:Tt("failing tests"),shape:"line",sentence:t=>{const e=t.flatMap(({failing:n})=>n===null?[]:[n]);return`From ${e[0]} after the first count to ${e.at(-1)} after the last; at most ${Math.max(...e)}.`},columns:[["Failing tests",({failing:t})=>dt(t,$.zD)]],values:[({failing:t})=>t]},{id:"chart-time",name:"Time of each iteration",unit:Xt,shape:"bars",sentence:t=>`${vt(t,({time:e})=>e,$.p0)}, turn and checks together.`,columns:[["Time",({time:t})=>(0,$.p0)(t)]],values:[({time:t})=>t]},{id:"chart-tokens",name:"Tokens and cost of each iteration",unit:Tt("tokens"),shape:"bars",sentence:t=>`${vt(t,({tokens:e})=>e,e=>(0,$.hS)(e,"token"))}.`,columns:[["Tokens",({tokens:t})=>dt(t,$.zD)],["Cost",({cost:t})=>dt(t,$.dR)]],values:[({tokens:t})=>t]},{id:"chart-lines",name:"Lines changed in each iteration",unit:Tt("lines added ↑ removed ↓"),shape:"bars",sentence:t=>`${(0,$.zD)(kt(t,({added:e})=>e))} lines added and ${(0,$.zD)(kt(t,({removed:e})=>e))} removed over all iterations shown; what was removed is below the line.`,columns:[["Added",({added:t})=>dt(t,$.zD)],["Removed",({removed:t})=>dt(t,$.zD)]],values:[({added:t})=>t,({removed:t})=>t===null?null:-t]}];function kt(t,e){return Number(Ot(t.map(e)))}function vt(t,e,n){const o=Math.max(...t.map(a=>Number(e(a))));return t.filter(a=>Number(e(a))===o).slice(0,1).map(a=>`Most in ${Zt(a)}: ${n(o)}`).join("")}function Zt({from:t,to:e}){return t===e?`iteration ${t}`:`iterations ${t} to ${e}`}function qt(t){const e=Qt(t.map(Jt)),n=Vt.filter(({values:o})=>e.some(s=>o.some(a=>Number(a(s))!==0)));return t.length<2||n.length===0?r`<p>There is too little to draw yet.</p>`:r`<div class="charts">${n.map(o=>te(o,e,t.length))}</div>`}function te(t,e,n){const{id:o,name:s,sentence:a,columns:l}=t,h=Math.ceil(n/xt),_=h>1?` Each ${t.shape==="line"?"point":"bar"} stands for ${h} iterations in a row.`:"";return r`<figure class="chart" aria-labelledby="${o}">
    <figcaption>
      <h3 id="${o}">${s}</h3>
      <p id="${o}-says">${a(e)}${_}</p>
    </figcaption>
    ${de(t,e)}
    <details>
      <summary>Table<span class="hidden">: ${s}</span></summary>
      <div class="wide" tabindex="0" role="region" aria-label="${s}, as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">Iteration</th>
              ${l.map(([T])=>r`<th scope="col">${T}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${e.map(T=>r`<tr>
                  <th scope="row">${T.from===T.to?T.from:`${T.from} to ${T.to}`}</th>
                  ${l.map(([,w])=>r`<td>${w(T)}</td>`)}
                </tr>`)}
          </tbody>
        </table>
      </div>
    </details>
  </figure>`}const ee=10;function ne(t){const e=Math.ceil(t.length/ee);return t.flatMap(({from:n},o)=>o%e===0?[n]:[])}const $t={width:440,height:190,marginLeft:60,marginRight:12,marginTop:24,marginBottom:38},oe=48,se=5,re=1e5,ie=new Intl.NumberFormat("en-US",{notation:"compact"}),ae=60;function ce(t){const[e,n]=[Math.floor(Math.min(0,...t)),Math.ceil(Math.max(0,...t))],o=Math.min(se,n-e);return{domain:[e,n],nice:o,ticks:o,grid:!0,tickFormat:a=>Math.abs(a)<re?(0,$.zD)(Math.abs(a)):ie.format(Math.abs(a))}}function de({id:t,unit:e,values:n,shape:o},s){const a=({from:O,to:K})=>(O+K)/2,{name:l,one:h}=e(s),_=n.map(O=>K=>{const W=O(K);return W===null?null:W/h}),T=($t.width-$t.marginLeft-$t.marginRight)/s.length,w=Math.max(.5,(T-oe)/2),H=_.flatMap((O,K)=>{const W=s.filter(lt=>O(lt)!==null),Et={className:K===0?"series":"series other"};return o==="line"?[(0,Y.Mu)(W,{x:a,y:O,...Et}),(0,Y.Om)(W.length>ae?[]:W,{x:a,y:O,r:3,fill:"currentColor",...Et})]:(0,Y.aT)(W,{x1:({from:lt})=>lt-.5,x2:({to:lt})=>lt+.5,y:O,insetLeft:w,insetRight:w,...Et})}),X={label:"iteration",ticks:ne(s),tickFormat:String},B={label:l,...ce(_.flatMap(O=>s.map(K=>Number(O(K)))))};return Ft(O=>(0,Y.QI)({...$t,document:O,x:X,y:B,marks:[(0,Y.OJ)([0]),...H]}),{role:"img","aria-labelledby":`${t} ${t}-says`,class:"plot"})}var le=f("mf7f4e2"),ue=f("md2c297"),Pt=f("mc59343"),me=f("me34b18"),fe=f("m657e20"),he=f("m521ef3"),pe=f("m5002c5"),$e=f("m208c25"),Nt=f("mf174de");async function*ge(t){let e,n;for await(const o of t){const s=e?.phase==="settled"&&be(o)?e.last_turn:null;if(e!==void 0&&s!==null){const h=Te(s,e.plan,n);yield{iteration:e.iteration,lines:[(0,d.n8)(`  decided: go on, because ${h}`,"strong")]}}e=(0,$e.k)(e,o),o.type==="turn_started"&&(n=void 0),o.type==="proved"&&(n=o);const l=[...(0,v.Cl)(o,e),...we(o,e)].map(({text:h,tone:_})=>(0,d.n8)(`  ${h}`,_));yield{iteration:e.iteration,lines:[..._e(o),...l]}}}function _e(t){return t.type==="turn_started"?[(0,d.n8)(""),(0,d.n8)(`Iteration ${t.iteration}, ${t.at}`,"strong")]:[]}function be({type:t}){return t==="turn_started"||t==="wait_started"}function Te(t,e,n){const{failure:o,claim:s}=t;if(o!==null)return`its turn failed (${o.kind}), and no rule ends it for that yet`;const a=(n?.verdict.checks??[]).filter(ye).map(l=>(0,d.TN)((0,M.v8)(l)));return a.length>0?`${a.join(", ")} ${a.length===1?"is":"are"} red`:(0,he.vF)(s,e)?(0,pe.pZ)(n?.weaknesses??[]).length>0?"the proof is weak":"its claim does not count, and no other rule ends it":"the agent does not claim to be done, and no other rule ends it"}function ye({exitCode:t,timedOut:e}){return t!==0||e}function we(t,e){return t.type==="loop_stopped"?[xe(t.reason),...Ee(t.reason)]:t.type!=="settled"?[]:[(0,d.n8)(`progress: ${(0,Nt.l_)(e)}`,"dim"),(0,d.n8)(`circuit: ${(0,Nt.l9)(e)}`,"dim")]}function Ee(t){const e=(0,x.k)(t,n=>n);return e===""?[]:[(0,d.n8)(`evidence: ${e}`)]}function xe({kind:t}){return(0,d.n8)(`decided: stop, by the rule ${t} (${Oe[t]})`,"strong")}const Oe={promise:"POST 7",done_token:"POST 7",dual_gate:"POST 7",exit_signal:"POST 7",plan_complete:"POST 7, PRE 6",success_command:"POST 5",already_green:"PRE 6",stories_passed:"POST 6",story_review:"POST 9",story_blocked:"POST 6",stories_blocked:"POST 6",hard_stop:"POST 9, POST 4b, PRE 5",paused:"PRE 3",stopped:"PRE 3, POST 1",canceled:"PRE 2, POST 1",superseded:"PRE 1, POST 1",time_budget:"PRE 10, POST 13",max_iterations:"PRE 8, POST 12",tokens:"PRE 9, POST 13",total_time:"PRE 9, POST 13",agent_blocked:"POST 10",permission_denied:"POST 8",question:"section 4.5",unfinished:"POST 7b",proof_accepted:"PRE 5a",weak_proof:"POST 7a",reviewer_vetoes:"POST 7c",protected_paths:"POST 4a",too_large:"POST 4a",flaky:"PRE 6, POST 4d",not_reproduced:"PRE 6, POST 4c",head_moved:"POST 1a",no_progress:"POST 11, PRE 7",same_error:"POST 11, PRE 7",test_loops:"POST 11, PRE 7",missing_status:"POST 11, PRE 7",rate_limit:"POST 3, PRE 11",usage_limit:"POST 3, PRE 11",calls_per_hour:"PRE 11",tokens_per_day:"PRE 11",auth:"POST 2",config:"POST 2",sandbox_broken:"POST 2",provider:"POST 4",gate_unrunnable:"section 4.5",commit_refused:"section 4.5",carriers_unreachable:"PRE 1"};var ke=f("m2646c1");const ve=1e7,Pe=200,Ne={item:null,checks:[],cost:null,failing:null};async function Se(t,e=ve){const n=new Map,o=Me(n,e),s=[];let a=[],l=null,h;const _=w=>{h=w,w.type==="turn_started"&&(a=[]);const{open:H,closed:X}=(0,ke.X)(l,w);l=H;for(const O of[X,H]){if(O===null)continue;const K=n.get(O.iteration),W=K===void 0||w.type==="turn_started"&&O===H;n.set(O.iteration,W?{...Ne,told:K?.told??[],meta:O}:{...K,meta:O})}const B=n.get((H??X)?.iteration??0);B!==void 0&&(w.type==="turn_started"&&w.item.id!==fe.YD&&(B.item=w.item.title),w.type==="turn_ended"&&(B.cost=w.cost??null),w.type==="proved"&&(B.checks=w.verdict.checks,B.failing=w.failing?.failing_count??(w.verdict.result==="passed"?0:null),o(B)))};for await(const{iteration:w,lines:H}of ge(De(t,_))){const X=H.map(W=>({...W,text:W.text.trim()})).filter(({text:W})=>W!=="");h?.type==="loop_stopped"&&(a=X);const B=h?.type==="turn_ended"?h.iteration:w,O=n.get(B)?.told??s,K=X.filter(({text:W})=>!/^Iteration \d+, /u.test(W));O.push(...K.slice(0,Math.max(0,Pe-O.length)))}return{iterations:[...n.values()].map(({meta:w,...H})=>({...w,...H})),before:s,ending:a}}async function*De(t,e){for await(const n of t)e(n),yield n}function Me(t,e){let n=0;return o=>{n+=St(o);for(const s of t.values()){if(n<=e||s===o)return;n-=St(s),s.checks=s.checks.map(a=>({...a,tail:""}))}}}function St({checks:t}){return t.reduce((e,{tail:n})=>e+n.length,0)}function Dt(t){return`${new Date(t).toISOString().slice(0,19).replace("T"," ")} UTC`}function Le({exitCode:t,timedOut:e}){return t===0&&!e}function Re(t){const e=t.timedOut?"timed out":t.exitCode===null?"did not end":`exit ${t.exitCode}`,n=t.tests===null||t.tests.failed===0?[]:[`${(0,$.hS)(t.tests.failed,"test")} failed`];return`${(0,d.TN)((0,M.v8)(t))}: ${[e,(0,$.p0)(t.durationMs),...n].join(", ")}`}function Mt(t){const{agent:e,change:n,failing:o,checks:s,verdict:a,usage:l,cost:h}=t,_=t.turn_ms+s.reduce((T,{durationMs:w})=>T+w,0);return[...e===null?["its turn has not ended"]:e==="ok"?[]:[`turn: ${e.replaceAll("_"," ")}`],Ie[a],...o===null||o===0?[]:[`${(0,$.hS)(o,"test")} failing`],...n===null?[]:[`${(0,$.hS)(n.files,"file")} +${n.added} −${n.removed}`],..._===0?[]:[(0,$.p0)(_)],...l===null?[]:[(0,$.hS)((0,I.RP)(l),"token")],...h===null?[]:[(0,$.dR)(h)]].join(" · ")}const Ie={passed:"checks passed",failed:"checks failed",cut_off:"checks cut off",unrunnable:"a check could not run",none:"not checked"};function Lt({verdict:t,agent:e}){return t==="passed"?"good":t==="none"&&(e==="ok"||e===null||e==="abandoned")?"open":"bad"}function Ce(t,{ending:e},n){return r`${je(t)}${Be(t)}
    <section aria-labelledby="next">
      <h2 id="next">What you have to do</h2>
      ${We(t)}
    </section>
    <section aria-labelledby="rule">
      <h2 id="rule">What stopped it</h2>
      ${Ke(t,e)}
    </section>
    <section aria-labelledby="tests">
      <h2 id="tests">Failing tests</h2>
      ${He(t)}
    </section>
    <section aria-labelledby="files">
      <h2 id="files">Files changed</h2>
      ${Xe(t)}
    </section>
    <section aria-labelledby="took">
      <h2 id="took">Time, tokens, cost</h2>
      ${Je(t)}
    </section>
    <section aria-labelledby="strip">
      <h2 id="strip">Iterations at a glance</h2>
      ${Qe(n)}
    </section>`}function je({protection:t}){const e=(0,me.o)(t);return r`${e.length>0&&r`<aside class="danger" aria-label="Warning">
      <p>Warning: run this only where nothing is of value.</p>
      ${gt(e)}
    </aside>`}`}function gt(t){return r`<ul>
    ${t.map(e=>r`<li>${e}</li>`)}
  </ul>`}const Ae={good:"good",bad:"bad",warn:"warn"};function Be(t){const{state:e}=t,{how:n,why:o,tone:s}=S(t),a=(0,P.Yw)(e),l=e.iterations.findLast(T=>T.commit!==null)?.commit??null,h=[["Command",a===null||a.checks.length===0?"none":a.checks.map((T,w)=>r`${w>0&&", "}<code>${(0,d.TN)((0,M.v8)(T))}</code>`)],["Commit",l===null?"none":r`<code>${l.slice(0,12)}</code>`],["Iteration",`${(0,$.zD)(e.iteration)} of ${(0,$.zD)(e.max_iterations)}`],...t.branch===null?[]:[["Branch",r`<code>${(0,d.TN)(t.branch)}</code>`]]],_=(0,L.OD)(t);return r`<section aria-labelledby="verdict" class="verdict ${s in Ae?s:"plain"}">
    <h1 id="verdict"><span class="how">${n}</span> <span class="why">${b(o,yt(t))}</span></h1>
    <dl class="facts">
      ${h.map(([T,w])=>r`<div>
            <dt>${T}</dt>
            <dd>${w}</dd>
          </div>`)}
    </dl>
    ${_.length>0&&gt(_.map(T=>b(T.text,yt(t))))}
  </section>`}function yt({state:t}){const{stop_reason:e}=t,n=(0,P.Yw)(t)?.checks??[],o=e!==null&&"command"in e?[e.command]:[];return[...n.flatMap(s=>[(0,M.v8)(s),s.command]),...o].map(d.TN)}function We(t){const e=(0,c.sk)(t),n=ze(t,e),o=(0,c.z6)(t.state)?.outcome.resumableBy==="nobody",s=n!==void 0&&e.endsWith(`: ${n}`)?e.slice(0,-n.length):e;return r`<p>${o&&r`<strong>Nothing</strong> to start or to answer. `}${b(s)}</p>
    ${n!==void 0&&ut("resume",n,"the command")}`}const Ue=/^(?:(?:waylon-)?smithers|daedalus) /u;function ze({resume:t},e){return Ue.test(t)&&e.includes(t)?t:/\/smithers prd [\w.-]+ (?:retry|accept) US-[\d-]+/u.exec(e)?.[0]}function Ke(t,e){if((0,c.z6)(t.state)===void 0)return r`<p>
      ${t.alive?"Nothing: it is running.":"No rule: its run was killed, or an error ended it."}
    </p>`;const n=e.length===0?[(0,c.O4)(t)]:e.map(({text:o})=>o);return gt(n.map(o=>b(o,yt(t))))}const _t=5;function He({state:t}){const{baseline:e,failing:n}=t,{failing:o}=(0,P.oX)(t),s=n??(o===null?{failing:[],failing_count:0}:null);return r`<div class="pair">
    <div>
      <h3>At the start</h3>
      ${Rt(e)}
    </div>
    <div>
      <h3>Now</h3>
      ${Rt(s)}
    </div>
  </div>`}function Rt(t){if(t===null)return r`<p>Not known.</p>`;const{failing:e,failing_count:n}=t;if(n===0)return r`<p>None.</p>`;const o=e.map(a=>r`<li><code>${(0,d.Jj)((0,d.TN)(a),300)}</code></li>`),s=n-e.length;return r`<p>${(0,$.hS)(n,"test")}</p>
    <ul>
      ${o.slice(0,_t)}
    </ul>
    ${o.length>_t&&r`<details>
        <summary>${o.length-_t} more</summary>
        <ul>
          ${o.slice(_t)}
        </ul>
      </details>`}${s>0&&r`<p>${(0,$.hS)(s,"more test")} without a name here.</p>`}`}const Fe=/^(?<path>.*) \| (?<counts>.*)$/u;function Ge({stat:t}){return t.split(`
`).flatMap(n=>{const{path:o,counts:s}=Fe.exec(n)?.groups??{};return o===void 0||s===void 0?[]:[{path:o,counts:s.replace("-","−"),kind:(0,le.t7)(o)?"CI":(0,ue.MQ)(o)?"test":""}]}).toSorted((n,o)=>+(n.kind==="")-+(o.kind===""))}function Xe({change:t}){if(t===null)return r`<p>Not known: nothing is measured here, or the loop's files were cleaned away.</p>`;if(t.files===0)return r`<p>None.</p>`;const e=Ge(t),n=t.files-e.length,o=e.some(({kind:s})=>s!=="");return r`<p>
      ${(0,$.hS)(t.files,"file")}, <span class="plus">+${(0,$.zD)(t.added)}</span>
      <span class="minus">−${(0,$.zD)(t.removed)}</span>
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
          ${e.map(({path:s,kind:a,counts:l})=>r`<tr>
                <td><code>${(0,d.TN)(s)}</code></td>
                ${o&&r`<td>${a}</td>`}
                <td>${(0,d.TN)(l)}</td>
              </tr>`)}
        </tbody>
      </table>
    </div>
    ${n>0&&r`<p>${(0,$.hS)(n,"more file")}.</p>`}`}function Je(t){const{state:e}=t,{spent:n}=e,o=e.status==="completed"||e.status==="canceled"?void 0:(0,Pt.xn)(e),s=[["Time",(0,$.p0)(n.turn_ms+n.check_ms)],["Tokens",(0,$.zD)(n.tokens)],["Cost",(0,Pt.vQ)(e)??"–"],...o===void 0?[]:[["Still needed",`${o} at this pace`]]];return r`<dl class="facts">
      ${s.map(([a,l])=>r`<div>
            <dt>${a}</dt>
            <dd>${l}</dd>
          </div>`)}
    </dl>
    <details>
      <summary>In detail</summary>
      ${gt((0,L.Sd)(t).map(a=>b(a)))}
    </details>`}function Qe(t){if(t.length===0)return r`<p>No iteration has begun.</p>`;const e=t.length>Ve,[n,o]=[t[0],t.at(-1)];return r`<ol class="strip${e&&" dense"}">
      ${t.map(s=>r`<li>
            <a href="#${A(s.iteration)}" title="${Mt(s)}"
              >${C(Lt(s))}<span class="hidden">iteration </span><span class="number">${s.iteration}</span></a
            >
          </li>`)}
    </ol>
    <p class="legend">
      ✓ checks passed · ✗ failed · –
      not${Ye}checked${e&&` · from iteration ${n?.iteration} to ${o?.iteration}, in their order`}
    </p>`}const Ye=" ",Ve=60;function It(t,e){const{iteration:n,item:o}=t;return r`<details class="iteration searched">
    <summary>
      ${C(Lt(t))}<strong>Iteration ${n}</strong> · ${o!==null&&`${(0,d.Jj)((0,d.TN)(o),120)} · `}
      ${Ze(Mt(t))}
    </summary>
    <div id="${A(n)}" class="folded">${e}</div>
  </details>`}function Ze(t){return t.replaceAll(/(?<!·) (?!·)/gu," ")}function qe(t,e,n){const{iteration:o,commit:s,checks:a,told:l,started_at:h}=t,{prompt:_,changes:T,message:w}=e,H=_===null&&T===null&&e.checks===null,X=A(o);return r`<p class="dim">
      Began ${Dt(h)}${s!==null&&r`, commit <code>${s.slice(0,12)}</code>`} ·
      <a href="#${X}">#${X}</a>
    </p>
    <ul>
      ${l.map(({text:B})=>r`<li>${(0,d.Jj)(B,en)}</li>`)}
    </ul>
    ${a.map((B,O)=>nn(o,B,O+1))}
    ${n&&H&&tn} ${wt(o,"output","All that the checks said",e.checks)}
    ${n&&[sn(o,T),wt(o,"prompt","Prompt",_),wt(o,"message","Last message of the agent",w)]}`}const tn=r`<p class="note">
  Its prompt, its diff and all that its checks said are not kept: only those of the last 50 iterations are.
</p>`,en=1e3;function nn(t,e,n){const o=(0,d.TN)((0,k.T9)(e)),s=`end of the output of check ${n} of iteration ${t}`,a=e.tail.trim()===""?r`<p>No output is kept here.</p>`:st(e.tail,s);return z(A(t,"check",n),r`${C(Le(e)?"good":"bad")}${Re(e)}`,r`${o!==""&&r`<p>${o}</p>`}${a}`)}function wt(t,e,n,o){if(o===null||o.text==="")return null;const s=`${n}, iteration ${t}`;return z(A(t,e),n,r`${Ct(o)}${st(o.text,s)}`)}function Ct({leftOut:t,part:e}){return t===0?null:r`<p class="note">
        Only its ${e} is shown: ${(0,$.zD)(t)} bytes are left out here, and in the loop's folder.
      </p>`}const on=[[/^(?:diff |index |--- |\+\+\+ |\[cut: )/u,"head"],[/^@@/u,"at"],[/^\+/u,"add"],[/^-/u,"cut"]];function sn(t,e){if(e===null||e.text==="")return null;const n=e.text.split(`
`).map(s=>{const a=on.find(([l])=>l.test(s))?.[1];return[a===void 0?s:r`<span class="${a}">${s}</span>`,`
`]}),o=r`<pre class="diff" tabindex="0" role="region" aria-label="Changes, iteration ${t}">${n}</pre>`;return z(A(t,"changes"),"Changes",r`${Ct(e)}${o}`)}const jt=String.raw`"use strict";
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
`,At=`
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
`,rn=1e7,Bt=2e3,an=500;async function cn(t,e=rn){const{view:n,withTexts:o}=t,s=await Se(t.events),a=s.iterations.slice(-Bt),h={top:Ce(n,s,a),charts:qt(a),agent:ln(t,s),stories:un(n)},_=a.map(O=>It(O,Wt)),T=Ut(Ht(n,h,[zt(s),..._],o)),w=await dn(t,a,e-T),H=a.map(O=>It(O,w.get(O.iteration)??Wt)),X=s.iterations.length-a.length,B=X>0&&r`<p>
      ${(0,$.hS)(X,"earlier iteration")} are not on this page: it shows the last ${(0,$.zD)(Bt)}.
    </p>`;return Ht(n,h,[r`${B}`,zt(s),...H],o)}const Wt=r`<p class="note">
  What this iteration wrote is left out, because the page would be too long. It is in the loop's folder.
</p>`;async function dn({textsOf:t,withTexts:e},n,o){const s=new Map;let a=o;for(const l of n.toReversed()){const h=qe(l,await t(l.iteration),e);if(a-=Ut(h.text),a<0)break;s.set(l.iteration,h)}return s}function Ut(t){return Buffer.byteLength(t)}function zt({before:t}){const e=t.slice(0,100);return e.length===0?r``:r`<details class="iteration searched">
    <summary>Before the first iteration</summary>
    <div id="i0" class="folded">
      <ul>
        ${e.map(({text:n})=>r`<li>${(0,d.Jj)(n,1e3)}</li>`)}
      </ul>
    </div>
  </details>`}function ln({view:t,withTexts:e},n){const{state:o}=t,{failing:s}=(0,P.oX)(o),a=o.failing?.failing??[],h=[e?`Task:
${o.prompt.trim()}`:"",`State:
${N(t).text}`,a.length===0?"":`Failing tests:
${a.map(_=>`- ${(0,d.TN)(_)}`).join(`
`)}`,s===null?"":`Last output of ${(0,d.TN)((0,M.v8)(s))}:
${s.tail.trim()||(0,k.UN)(s)}`,`Decision:
${[...n.ending.map(({text:_})=>_),`next: ${(0,c.sk)(t)}`].join(`
`)}`].filter(_=>_!=="").join(`

`);return r`${ct("for-an-agent","for an agent")}
    <details>
      <summary>Task, failing tests, last output and decision, as one text</summary>
      ${rt("for-an-agent",h,"for an agent")}
    </details>`}function un({state:t,prd:e}){const n=(0,Q.u2)(t,e);if(n===null)return null;const o=(0,Q.gR)(n),{rows:s,rest:a}=(0,Q.NB)(n.stories,an);return r`<p>${(0,Q.Wl)(n)}.${o!==void 0&&` At work on ${o}.`}</p>
    <ul>
      ${s.map(l=>r`<li class="searched" id="${l.id}">
            <span aria-hidden="true">${Q.t5[l.status]}</span> <strong>${l.id}</strong> ${(0,Q._Q)(l)}:
            ${(0,Q.sV)(l)}${l.commit!==null&&r`, <code>${l.commit.slice(0,12)}</code>`}
          </li>`)}
    </ul>
    ${a!==""&&r`<p>${a}.</p>`}`}function Kt(t){return`'sha256-${(0,J.createHash)("sha256").update(t).digest("base64")}'`}function mn(){return["default-src 'none'",`script-src ${Kt(jt)}`,`style-src ${Kt(At)}`,"img-src data:","base-uri 'none'","form-action 'none'"].join("; ")}const fn=r`<p class="note">
  Prompts, messages of the agent and diffs are left out of this page, because its readers may not be those who may see
  them.
</p>`;function Ht(t,e,n,o){const{loop_id:s,generation:a,updated_at:l,iteration:h}=t.state,_=h===0?"None has begun.":"The events of this loop are gone, so they are not known.",T=n.every(({text:w})=>w==="")?r`<p>${_}</p>`:r`${n}`;return r`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        ${new V(`<meta http-equiv="Content-Security-Policy" content="${mn()}">`)}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>Loop ${s}</title>
        ${new V(`<style>${At}</style>`)}
      </head>
      <body>
        <a class="skip" href="#iterations">To the iterations</a>
        <main>${e.top} ${o?null:fn} ${hn(e,T)}</main>
        <footer>
          <p>
            Loop ${s}, generation ${a}, as of ${Dt(l)}. Made by smithers; nothing on this page is loaded or sent.
          </p>
        </footer>
        ${new V(`<script>${jt}<\/script>`)}
      </body>
    </html> `.text}function hn({charts:t,agent:e,stories:n},o){const s=(a,l,h)=>r`<section aria-labelledby="${a}">
      <h2 id="${a}">${l}</h2>
      ${h}
    </section>`;return r`${s("agent","Copy for an agent",e)} ${s("charts","Charts",t)}
    <form id="search" role="search" hidden>
      <label for="search-for">Search iterations${n!==null&&" and stories"}</label>
      <input id="search-for" type="search" autocomplete="off" />
      <p id="search-found" role="status" class="dim"></p>
    </form>
    ${s("iterations","Iterations",o)}
    ${n!==null&&s("stories","Stories",n)}`}}),me34b18:((at,F,f)=>{f.d(F,{o:()=>M});const J="sandbox danger-full-access: the agent may change or delete anything you can, and use the network.",k=/^--yolo$|^--dangerously-|danger-full-access/u;function M(v){const d=v.providerArgs.filter(P=>k.test(P));return[...v.sandbox==="danger-full-access"?[J]:[],...d.map(P=>`${P}: the agent's own approvals or sandbox are switched off.`)]}function $(v){const d=M(v);return d.length===0?[]:["!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!  WARNING  !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!",...d,"Run this only where nothing is of value: a container or a virtual machine.","!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!"]}}),me07f80:((at,F,f)=>{f.d(F,{Cl:()=>m,HX:()=>nt,Lq:()=>E,k0:()=>R,nx:()=>ot,tY:()=>j,yt:()=>Q});var J=f("md3f2d5"),k=f("m521ef3"),M=f("m0ec62e"),$=f("md61422"),v=f("m20624b"),d=f("m5002c5"),P=f("m0b5f83"),x=f("mef5322"),c=f("m962097"),G=f("m9d6e92"),L=f("m3104e1");function m(i,r){switch(i.type){case"loop_started":{const b=i.generation>1?`, generation ${i.generation}`:"",A=(0,x.hS)(i.max_iterations,"iteration");return[(0,c.n8)(`loop ${i.loop_id} started: ${A} at most${b}`,"strong"),...(0,L.VE)(i,r)]}case"loop_resumed":return[(0,c.n8)(`loop ${r.loop_id} resumed: ${(0,x.hS)(r.iteration,"iteration")} begun so far`,"strong"),...(0,L.VE)(i,r)];case"turn_abandoned":return[(0,c.n8)(`iteration ${i.iteration} was cut short when its run died; it counts`,"warn"),...it(i)];case"turn_started":return[(0,c.n8)(S(i,r),"strong")];case"session_opened":return[(0,c.n8)(`${i.replaces===void 0?"":"fresh "}session ${(0,c.TN)(i.session_id)}`,"dim")];case"turn_ended":return Z(i,r);case"proved":return u(i,nt(i.verdict,r));case"reviewed":return[];case"wait_started":return[(0,c.n8)(E(i,r.not_before),"warn")];case"settled":return[...it(i),...(0,L.QM)(i,r)];case"story_examined":return(0,L.LK)(i);case"story_given_up":return[(0,L.QN)(i.story)];case"story_shelved":return(0,L.cv)(i);case"story_ruled":return[(0,L.bw)(i)];case"loop_stopped":{const{reason:b}=i,{status:A,sentence:tt,exitCode:C}=(0,M.sG)(b),z=b.kind==="head_moved"?[(0,c.n8)((0,G.l)(b),"warn")]:[];return[(0,c.n8)(`loop ${A} (${b.kind}): ${tt}`,C===0?"good":"warn"),...z,...N(i)]}case"reset":return[(0,c.n8)(`${i.what} reset by ${(0,c.TN)(i.by)}`)];case"published":return i.pull_request===null?[]:[(0,c.n8)(`pull request ${i.pull_request.url}`,"strong")]}}function N({submodules:i=[]}){if(i.length===0)return[];const r=i.map(c.TN).join(", ");return[(0,c.n8)(`the commit moves a submodule to another commit (${r}): push that one first, from there`,"warn")]}function S(i,{stories:r}){const{iteration:b,session:A,item:tt,provider:C}=i,z=r&&(0,$.zv)(r,tt.id)?.attempts,st=z===null?"":`, ${tt.id} ${(0,c.TN)(tt.title)} (attempt ${z??1})`,rt=C===void 0?"":`, by ${(0,c.TN)(C)}`;return`iteration ${b} started, ${A} session${st}${rt}`}function R(i){return i===null?"changes not measured":i.files===0?"no file changed":`${(0,x.hS)(i.files,"file")} changed (+${i.added} -${i.removed})`}function j(i){const{exitCode:r,timedOut:b,durationMs:A}=i,[tt,C]=q(i)?["passed","good"]:["failed","bad"],st=[b?"timed out":r===null?"did not end":`exit ${r}`,(0,x.p0)(A),(0,P.yp)(i)].filter(ct=>ct!==void 0).join(", "),rt=q(i)?"":(0,c.TN)((0,v.T9)(i));return(0,c.n8)(`check ${tt} (${st}): ${(0,c.TN)((0,P.v8)(i))}${rt===""?"":`: ${rt}`}`,C)}function Z(i,{artifacts:r}){const{change:b,usage:A,duration_ms:tt,failure:C,claim:z,tally:st,undone:rt=[]}=i,{hint:ct,blocked:ut,person:mt}=z,ft=C===null?(0,k.QX)(z,st):null,ht=`${R(b)}, ${(0,x.zD)((0,J.RP)(A))} tokens, ${(0,x.p0)(tt)}`;return[C===null?(0,c.n8)(`agent ended its turn: ${ht}`):(0,c.n8)(`agent failed (${C.kind}): ${(0,c.TN)(C.message)}; ${ht}`,"bad"),...C?.next===void 0?[]:[(0,c.n8)(`what helps: ${(0,c.TN)(C.next)}`,"warn")],...C===null&&(0,k.vF)(z,st)?[(0,c.n8)("agent claims to be done","good")]:[],...ft===null?[]:[(0,c.n8)(`claim names unfinished work: ${(0,c.TN)(ft)}`,"warn")],...ct===null?[]:[(0,c.n8)(`claim does not count: ${(0,c.TN)(ct)}`,"warn")],...ut===null?[]:[(0,c.n8)(`agent is blocked: ${(0,c.TN)(ut)}`,"warn")],...mt===void 0?[]:[(0,c.n8)(`agent needs a person: ${(0,c.TN)(mt)}`,"warn")],...rt.map(bt=>(0,L.w$)(bt,r.dir))]}function nt(i,{phase:r,last_turn:b,plan:A}){if(!(r==="unsettled"&&b!==null&&b.failure===null&&(0,k.vF)(b.claim,A))||i.result!=="failed"||i.occasion!==void 0)return;const C=i.checks.filter(z=>!q(z)).map(z=>(0,c.TN)((0,P.v8)(z)));return`claim refused: ${C.join(", ")} ${C.length===1?"is":"are"} red`}function q(i){return i.exitCode===0&&!i.timedOut}function it(i){return[...i.commit?[(0,c.n8)(`committed ${i.commit}`,"dim")]:[],...N(i)]}function u({verdict:i,weaknesses:r},b){return[...i.checks.map(j),...p(i),...b===void 0?[]:[(0,c.n8)(b,"bad")],...i.result==="cut_off"?[(0,c.n8)("checks cut off before they had ended","warn")]:[],...i.result==="unrunnable"?[(0,c.n8)(`check cannot run: ${(0,c.TN)(i.problem.what)}`,"bad")]:[],...(0,d.pZ)(r).map(A=>(0,c.n8)(`weak proof: ${(0,c.TN)(A)}`,"warn"))]}function p({occasion:i,result:r}){if(i===void 0)return[];const b="checks asked between claims, because the turn changed something";return r==="passed"?[(0,c.n8)(`${b}: green proves nothing by itself, and the agent is told to say if it is done`)]:r==="failed"?[(0,c.n8)(`${b}: the next turn is told what is red`)]:[(0,c.n8)(b)]}const g={interval:"the interval between iterations",rate_limit:"the provider limits the rate of requests",usage_limit:"the provider's usage limit is reached",calls_per_hour:"the calls of this hour are used up",tokens_per_day:"the tokens of this day are used up"};function E(i,r){const b=(0,c.TN)(r?.message??"").slice(0,200);return`waiting until ${i.until}: ${g[i.why]}${b===""?"":` (${b})`}`}const y=300,D=4e3,U=3;function ot(i){switch(i.type){case"session.started":return"the agent is starting";case"message":return`the agent says: ${I(i.text)}`;case"reasoning":return`the agent thinks: ${I(i.text)}`;case"output":return`the agent prints: ${I(i.text)}`;case"command.started":return`the agent runs: ${I(i.command)}`;case"check.started":return`checking: ${I(i.command)}`;case"turn.retrying":return`${i.failure.kind}: ${Y(i)}`;case"command.ended":case"files.changed":case"permission.denied":case"tool.used":return"the agent is thinking";case"check.ended":case"notice":case"usage":case"turn.completed":case"turn.failed":return}}function Q(i){switch(i.type){case"message":return(0,c.n8)(`agent says: ${I(i.text)}`,"dim");case"output":return(0,c.n8)(`agent prints: ${I(i.text)}`,"dim");case"command.ended":return(0,c.n8)(`agent ran (${V(i.exitCode)}): ${I(i.command)}`,"dim");case"files.changed":return(0,c.n8)(`agent changed ${et(i.changes.map(r=>r.path))}`,"dim");case"tool.used":return(0,c.n8)(`agent used ${I(i.name)}${i.failed?", which failed":""}`,"dim");case"permission.denied":return(0,c.n8)(`agent was not allowed: ${I(i.what)}`,"warn");case"notice":return(0,c.n8)(`notice: ${I(i.text,D)}`,"dim");case"turn.retrying":{const r=`attempt ${i.attempt}, ${Y(i)}`;return(0,c.n8)(`agent failed (${i.failure.kind}), ${r}: ${I(i.failure.message)}`,"warn")}case"check.started":return(0,c.n8)(`check started: ${I(i.command)}`,"dim");case"session.started":case"reasoning":case"command.started":case"check.ended":case"usage":case"turn.completed":case"turn.failed":return}}function Y({delayMs:i}){return`trying again ${i===0?"at once":`in ${(0,x.p0)(i)}`}`}function I(i,r=y){const b=(0,c.TN)(i);return b.length>r?`${b.slice(0,r)}…`:b}function V(i){return i===null?"no exit code":`exit ${i}`}function et(i){const r=i.slice(0,U).map(c.TN).join(", "),b=i.length-U;return`${(0,x.hS)(i.length,"file")}: ${r}${b>0?` and ${b} more`:""}`}}),m9d6e92:((at,F,f)=>{f.d(F,{k:()=>L,l:()=>P});var J=f("mc02145"),k=f("m5002c5"),M=f("m84a7d2"),$=f("mf5f11f"),v=f("mef5322"),d=f("m962097");function P({from:m,to:N}){const S=`It was ${x(m)}, and is ${x(N)}.`;if(m.branch!==void 0&&m.branch!==N.branch){const q=m.branch===null?`--detach ${c(m.head)}`:(0,d.TN)(m.branch);return`${S} \`git switch ${q}\` goes back.`}if(m.head===null)return`${S} \`git update-ref -d HEAD\` puts it back and keeps the files.`;const[j,Z]=[c(m.head),c(N.head)],nt=`If \`git log ${Z}..${j}\` names commits, they were undone, and the files that they brought are missing: \`git checkout ${j} -- FILE\` brings them back, else the story's commit deletes them.`;return`${S} \`git reset --soft ${j}\` puts it back and keeps the files; what came is still ${Z} then. Your own commit can stay: the loop builds on it. ${nt}`}function x({head:m,branch:N}){const S=m===null?"before the first commit":`at ${c(m)}`;return N===void 0?S:`${N===null?"on no branch":`on ${(0,d.TN)(N)}`}, ${S}`}function c(m){return String(m).slice(0,12)}function G({why:m,run:N,job:S,cause:R}){const j=m==="green_here"?"The checks here are green before anything was changed":"The checks are green although nothing was changed";return`Job ${(0,d.TN)(S)} of ${(0,d.TN)(N)} was red. ${j}. Cause, as far as it shows: ${M.hE[R]}.`}function L(m,N){switch(m.kind){case"promise":case"done_token":case"dual_gate":case"exit_signal":return m.verified?"":"No check is configured, so nobody but the agent says so.";case"plan_complete":return m.verified?"":"No check is configured, so nothing but the plan says so.";case"success_command":case"already_green":return`Command: ${(0,d.TN)(m.command)}`;case"stories_passed":return`${(0,v.zD)(m.passed)} of the PRD's ${(0,v.zD)(m.total)} stories have passed.`;case"story_review":return`${m.story} ${(0,d.TN)(m.title)}${m.commit===null?"":`: commit ${m.commit}`}`;case"story_blocked":return`${m.story}: ${(0,d.TN)(m.why)}`;case"stories_blocked":{const S=m.waiting===0?[]:[`${m.waiting} more wait for these.`];return[...m.stories.map(({id:R,why:j})=>`${R}: ${(0,d.TN)(j)}`),...S].join(" ")}case"hard_stop":return m.hits.map(({line:S,text:R,vanished:j})=>`${j===!0?"gone":`line ${S}`}: ${(0,d.TN)(R)}`).join("; ");case"paused":case"stopped":case"canceled":return`Asked for by: ${(0,d.TN)(m.by)}`;case"superseded":return`The other run: ${(0,d.TN)(m.by)}`;case"carriers_unreachable":return m.unanswered.map(({carrier:S,why:R})=>`${S}: ${(0,d.TN)(R)}`).join(" ");case"time_budget":return"";case"max_iterations":return(0,v.hS)(m.max,"iteration");case"tokens":return`${(0,v.zD)(m.spent)} of ${(0,v.zD)(m.max)} tokens`;case"total_time":return`${(0,v.p0)(m.spent)} of ${(0,v.p0)(m.max)}`;case"agent_blocked":return(0,d.TN)(m.why);case"permission_denied":return m.denied.map(({what:S,allow:R})=>`${(0,d.TN)(S)}: ${(0,d.TN)(N(R))}`).join(" ");case"question":return(0,d.TN)(m.question);case"unfinished":return`It says: "${(0,d.TN)(m.said)}"`;case"proof_accepted":return(0,d.em)(`By ${(0,d.TN)(m.by)}, ${m.at}. ${(0,d.TN)((0,k.pZ)(m.weaknesses).join("; "))}`);case"weak_proof":return(0,d.em)((0,d.TN)((0,k.pZ)(m.weaknesses).join("; ")));case"reviewer_vetoes":return(0,d.em)((0,d.TN)((0,$.EJ)(m.objections).join("; ")));case"protected_paths":case"too_large":return(0,d.em)((0,d.TN)((0,J.WW)(m)));case"flaky":return`${(0,d.TN)(m.command)} was ${m.other===void 0?"red and green":"red for different tests"} on the same files${m.tests.length===0?"":`: ${(0,d.TN)(m.tests.join(", "))}`}.`;case"not_reproduced":return G(m);case"head_moved":return P(m);case"no_progress":case"same_error":case"test_loops":case"missing_status":return(0,v.hS)(m.count,"iteration");case"rate_limit":case"usage_limit":return`Until ${m.until}: ${(0,d.TN)(m.message)}`;case"tokens_per_day":return`Until ${m.until}: ${(0,v.zD)(m.max)} tokens a day`;case"calls_per_hour":return`Until ${m.until}: ${(0,v.hS)(m.max,"call")} an hour`;case"auth":case"config":case"sandbox_broken":case"provider":{const{kind:S,message:R,next:j}=m.failure;return`${S}: ${(0,d.TN)(R)}${j===void 0?"":` ${(0,d.TN)(N(j))}`}`}case"gate_unrunnable":case"commit_refused":return`${(0,d.TN)(m.problem.what)} ${(0,d.TN)(N(m.problem.next))}`}}}),mba8df2:((at,F,f)=>{f.d(F,{Ge:()=>v,ON:()=>P,U7:()=>$});var J=f("mf5f11f"),k=f("mef5322"),M=f("m962097");function $({review:x}){const{answer:c,why:G,objections:L,iteration:m,vetoes:N}=x;switch(c){case null:return;case"clear":return`Another session reviewed the work of iteration ${m} and holds nothing against it.`;case"veto":return`Another session reviewed the work of iteration ${m} and vetoed it${N>1?` (veto ${N})`:""}: ${d((0,J.EJ)(L))}.`;case"unreadable":case"failed":return`The review of iteration ${m} gave no answer that counts, so nobody has vetoed the work: ${(0,M.TN)(G)}.`}}function v({review:x}){return x.answer!==null&&x.answer!=="clear"}function d(x){return x.map(c=>`"${(0,M.TN)(c)}"`).join("; ")}function P({review:{spent:x}}){const{reviews:c,tokens:G,input_tokens:L,cached_input_tokens:m,output_tokens:N,ms:S}=x;if(!(c===0&&G===0))return`Reviews: ${(0,k.hS)(c,"session")}, ${(0,k.p0)(S)}. Tokens, not among the others: ${(0,k.zD)(G)} (${(0,k.zD)(L)} in, of which ${(0,k.zD)(m)} cached; ${(0,k.zD)(N)} out).`}}),m3104e1:((at,F,f)=>{f.d(F,{LK:()=>x,QM:()=>d,QN:()=>P,VE:()=>N,bw:()=>m,cv:()=>G,w$:()=>L});var J=f("md61422"),k=f("mf62150"),M=f("mef5322"),$=f("m962097"),v=f("mc2cfc0");function d({story:u,commit:p},{stories:g}){if(u===void 0)return[];if(u.ends==="blocked")return[P(u)];const E=(0,$.TN)((g&&(0,J.zv)(g,u.id)?.title)??""),y=(0,v.p6)(u),D=(0,v.aJ)(y)?`; ${(0,v.is)(y)}`:"",U=p===null?", without a commit because nothing had to be changed":"";return[(0,$.n8)(`${u.id} has passed${U}: ${E}${D}`,"good")]}function P({id:u,kind:p,why:g}){return(0,$.n8)(`${u} is blocked (${p}): ${(0,$.TN)(g)}`,"warn")}function x({id:u,before:p,others:g}){const E=p.filter(({green:et})=>!et).length,y=E===0?"":", which its work has to turn green",D=(0,$.n8)(`${u} before it begins: ${E} of ${(0,M.hS)(p.length,"command")} red${y}`,"dim");if(g===void 0)return[D];const U=`${g.red.length} of ${(0,M.hS)(g.asked,"command")}`,ot=g.red.slice(0,c).map(({story:et,run:i})=>(0,$.TN)(`${et}: ${i}`)),Q=g.red.length-ot.length,Y=`: ${ot.join("; ")}${Q>0?` and ${Q} more`:""}`,I=g.red.length===0?"":`${Y}. This is not held against ${u}`,V=g.red.length===0?"dim":"warn";return[...p.length===0?[]:[D],(0,$.n8)(`${u} before it begins: ${U} of stories that have passed red${I}`,V)]}const c=5;function G({id:u,patch:p}){return p===null?[]:[(0,$.n8)(`${u}: its unfinished work is out of the work tree, in ${p} of the loop's folder`,"warn")]}function L(u,p){const g=`${(0,$.TN)(u.file)} was changed during a turn, by the agent or somebody else, and is put back: ${(0,k.G)(u,p)}`;return(0,$.n8)(g,"warn")}function m({id:u,ruling:p,by:g,words:E}){const y=E===null?"":`: ${(0,$.TN)(E)}`;return(0,$.n8)(`${u} is ${p==="accept"?"accepted":"to be tried again"}, says ${(0,$.TN)(g)}${y}`,"strong")}function N({stories:u},{stories:p}){if(u===void 0||p===null)return[];const g=p.records.filter(({state:y,gone:D})=>y==="passed"&&!D),E=(y,D,U="warn")=>D.length===0?[]:[(0,$.n8)(`${y}: ${R(D.map(({id:ot})=>ot))}`,U)];return[(0,$.n8)(`stories of ${u.prd}: ${(0,M.zD)(u.stories.length)}, of which ${(0,M.zD)(g.length)} have passed`),...E("passed by the file alone, not proved here",g.filter(({passing:y})=>y?.how==="taken_over")),...E("changed since they passed, and wait for retry",g.filter(({changed:y})=>y)),...E("no longer in the PRD",p.records.filter(({gone:y})=>y),"dim")]}const S=20;function R(u){const p=u.length-S;return`${u.slice(0,S).join(", ")}${p>0?` and ${p} more`:""}`}function j({state:u,prd:p}){const g=storiesReport(u,p);if(g===null)return[];const E=activeText(g),{rows:y,rest:D}=shownStories(g.stories);return[line(`PRD ${g.prd}: ${tallyText(g)}.`,"strong"),...E===void 0?[]:[line(`Story at work: ${E}`)],...Z(y),...D===""?[]:[line(`  … ${D}`,"dim")],...g.undone.map(U=>L(U,u.artifacts.dir))]}function Z(u){return u.map(p=>line(nt(p),it[p.status]))}function nt(u){const p=u.commit===null?"":`; commit ${u.commit.slice(0,7)}`;return`  ${q(u)} ${u.id} ${shownTitle(u)}: ${standText(u)}${p}`}function q({status:u}){return hasPassed({status:u})?"[x]":u==="blocked"?"[!]":u==="in_progress"?"[>]":"[ ]"}const it={passed:"good",accepted:"good",taken_over:"plain",blocked:"warn",in_progress:"strong",waiting:"dim",pending:"plain"}}),m382078:((at,F,f)=>{f.d(F,{OD:()=>N,Sd:()=>Z,nM:()=>q});var J=f("m0b5f83"),k=f("mef5322"),M=f("mf174de"),$=f("mfcb333"),v=f("mc59343"),d=f("m4c721d"),P=f("me07f80"),x=f("m962097"),c=f("mba8df2"),G=f("m9d6e92"),L=f("m3104e1"),m=f("m7358cf");function N(u){const{state:p}=u,g=(0,c.U7)(p),E=y=>y.filter(D=>D!==void 0).map(D=>(0,x.n8)(D,"warn"));return[...E([(0,d.g_)(p),(0,d.mF)(p)]),...g===void 0?[]:[(0,x.n8)(g,(0,c.Ge)(p)?"warn":"plain")],...E([(0,d.gy)(p),(0,d.qC)(p),(0,d.W1)(p),(0,d.b9)(p),(0,d.w7)(p)]),...E([(0,m.YM)(u)]),...(0,m.dN)(p).map(y=>(0,x.n8)(`hard_stop_pending: line ${y.line} still wants a person: ${(0,x.TN)(y.text)}`,"warn"))]}function S(u){const{state:p}=u;return[...dangerBanner(u.protection).map(g=>line(g,"bad")),...R(u),...N(u),...storySummary(u),...j(u),...Z(u).map(g=>line(g)),line(`Progress: ${progressText(p)}.`),line(`Calls of the agent: ${callsText(p)}.`),line(`Circuit: ${circuitText(p)}.`,p.circuit.state==="CLOSED"?"plain":"warn"),...it(u),line(`Next: ${nextStep(u)}`,"strong")]}function R(u){const{state:p}=u,g=shownStatus(u),E=endingOf(p);if(E===void 0){const U=u.alive?"The loop is running.":"The last run ended without an ending: it was killed, or an error ended it.";return[line(`${oneLine(p.loop_id)}: ${g}. ${U}`,u.alive?"strong":"warn")]}const y=E.outcome.exitCode===0?"good":"warn",D=reasonDetail(E.reason,u.word);return[line(`${oneLine(p.loop_id)}: ${g} (${E.reason.kind}). ${E.outcome.sentence}`,y),...D===""?[]:[line(`  ${D}`,y)]]}function j(u){const{result:p,sentence:g,failing:E}=proofOf(u.state),y=[line(g,p==="verified"?"good":"warn")];if(E===null)return y;const D=lastLines(E.tail,15);return D.length>0&&y.push(line(`Last lines of \`${oneLine(checkLabel(E))}\`:`,"dim")),[...y,...D.map(U=>line(`  | ${U}`,"dim"))]}function Z({state:u,word:p}){const{iteration:g,max_iterations:E,spent:y}=u,{tokens:D,input_tokens:U,cached_input_tokens:ot,output_tokens:Q,resumes:Y}=y,I=(0,c.ON)(u),V=Y>0?`; resumed ${Y===1?"once":`${Y} times`}`:"";return[`Iterations: ${g} of ${E}. Tokens: ${(0,k.zD)(D)} (${(0,k.zD)(U)} in, of which ${(0,k.zD)(ot)} cached; ${(0,k.zD)(Q)} out).`,`Time: ${(0,k.p0)(y.turn_ms)} in ${(0,k.hS)(y.turns,"turn")}, ${(0,k.p0)(y.check_ms)} in checks${V}.`,...I===void 0?[]:[I],...nt(u).map(p)]}function nt(u){const[p,g]=[(0,v.rs)(u),(0,v.xn)(u)];return p===void 0?u.spent.turns===0?[]:["Cost: unknown; no price of the model is known. --model or --prices would tell."]:[`Cost: ${p}, by list prices of ${$.nx} unless prices or the agent says another${g===void 0?"":`; ${g} at this pace`}.`]}function q({change:u}){return`Since the loop began: ${(0,P.k0)(u)}.`}function it(u){const p=lastLines(u.change?.stat??"",Number.MAX_SAFE_INTEGER).slice(0,10);return[...u.branch===null?[]:[line(`Branch: ${oneLine(u.branch)}`)],line(q(u)),...p.map(g=>line(`  ${g}`,"dim")),line(`State: ${u.stateFile}`,"dim"),line(`Logs and messages: ${u.folder}`,"dim")]}})};export{pn as id,$n as ids,gn as modules};
//# sourceMappingURL=report-page.js.map
