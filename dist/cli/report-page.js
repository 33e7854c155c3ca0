const Re="report-page",je=["report-page"],Be={m77b224:((Ae,gt,p)=>{p.d(gt,{reportPage:()=>Ee});var $t=p("mf203b1"),F=p("m20624b"),O=p("m0b5f83"),d=p("mef5322"),U=p("maffb16"),h=p("m962097"),D=p("m4c721d"),S=p("m7358cf"),w=p("mc2cfc0"),N=p("maf4b51"),G=p("md3f2d5");class x{text;constructor(e){this.text=e}}function M(t){return(0,h.wh)(t).replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;").replaceAll('"',"&quot;").replaceAll("'","&#39;")}function J(t){return t==null||t===!1?"":t instanceof x?t.text:typeof t=="string"?M(t):typeof t=="number"?String(t):t.map(J).join("")}function a(t,...e){return new x(t.map((n,o)=>n+J(e[o])).join(""))}function k(t,e=[]){const[n="",...o]=e.toSorted((i,l)=>l.length-i.length);if(n===""){const i=t.split(/`([^`]+)`/u);return a`${i.map((l,f)=>f%2===0?l:a`<code>${l}</code>`)}`}const r=t.split(`\`${n}\``),s=n.includes("`")?r.flatMap(i=>i.split(n)):r;return a`${s.map((i,l)=>[l>0&&a`<code>${n}</code>`,k(i,o)])}`}function T(t,e="",n){return[`i${t}`,...e===""?[]:[e],...n===void 0?[]:[n]].join("-")}const bt={good:["✓","passed"],bad:["✗","failed"],open:["–","not proved"]};function z(t){const[e,n]=bt[t];return a`<span class="mark ${t}" aria-hidden="true">${e}</span><span class="hidden">${n}:</span> `}function A(t,e,n,o="fold"){return a`<details class="${o}">
    <summary>${e}</summary>
    <div id="${t}" class="folded">${n}</div>
  </details>`}function K(t,e){return a`<pre tabindex="0" role="region" aria-label="${e}">${t}</pre>`}function V(t,e,n){return new x(`<pre id="${t}" tabindex="0" role="region" aria-label="${M(n)}">${M(e)}</pre>`)}function Y(t,e){return a`<button type="button" data-copy="${t}" hidden>Copy<span class="hidden"> ${e}</span></button>`}function yt(t,e,n){return a`<div class="copyable">${V(t,e,n)}${Y(t,n)}</div>`}const vt="http://www.w3.org/2000/svg",wt=new Set(["aria-label","aria-description","style"]);class xt{#t;constructor(e){this.#t=e}get text(){return M(this.#t)}}class R{namespaceURI=vt;localName;ownerDocument;childNodes=[];#t=new Map;constructor(e,n){this.localName=e,this.ownerDocument=n}setAttribute(e,n){this.#t.set(e,String(n))}removeAttribute(e){this.#t.delete(e)}appendChild(e){return this.childNodes.push(e),e}insertBefore(e){return this.appendChild(e)}set textContent(e){this.childNodes.splice(0,1/0,new xt(String(e)))}get text(){if(this.localName==="style")return"";const n=[...this.#t].filter(([o])=>!wt.has(o)).map(([o,r])=>` ${o}="${M(r)}"`).join("");return`<${this.localName}${n}>${this.childNodes.map(({text:o})=>o).join("")}</${this.localName}>`}}class kt{documentElement=new R("html",this);createElementNS(e,n){return new R(n,this)}}function Tt(t,e){const n=[t(new kt)].filter(o=>o instanceof R);for(const o of n)for(const[r,s]of Object.entries(e))o.setAttribute(r,s);return new x(n.map(({text:o})=>o).join(""))}const Q=150,j=t=>()=>({name:t,one:1}),St=[{name:"hours",one:36e5},{name:"minutes",one:6e4}];function Nt(t){const e=Math.max(...t.map(({time:n})=>n));return St.find(({one:n})=>e>=2*n)??{name:"seconds",one:1e3}}function Mt(t){const e=t.checks.reduce((n,{durationMs:o})=>n+o,0);return{iteration:t.iteration,failing:t.failing,tokens:t.usage===null?null:(0,G.RP)(t.usage),cost:t.cost,time:t.turn_ms+e,added:t.change?.added??null,removed:t.change?.removed??null}}function It(t){const e=Math.ceil(t.length/Q);return t.flatMap((n,o)=>{if(o%e!==0)return[];const r=t.slice(o,o+e),s=i=>X(r.map(i));return{from:n.iteration,to:r.reduce((i,{iteration:l})=>l,n.iteration),failing:r.reduce((i,{failing:l})=>l??i,null),tokens:s(({tokens:i})=>i),cost:s(({cost:i})=>i),time:r.reduce((i,{time:l})=>i+l,0),added:s(({added:i})=>i),removed:s(({removed:i})=>i)}})}function X(t){return t.reduce((e,n)=>n===null?e:n+(e??0),null)}const Et="–",I=(t,e)=>t===null?Et:e(t),Ot=[{id:"chart-failing",name:"Failing tests after each iteration",unit:j("failing tests"),shape:"line",sentence:t=>{const e=t.flatMap(({failing:n})=>n===null?[]:[n]);return`From ${e[0]} after the first count to ${e.at(-1)} after the last; at most ${Math.max(...e)}.`},columns:[["Failing tests",({failing:t})=>I(t,d.zD)]],values:[({failing:t})=>t]},{id:"chart-time",name:"Time of each iteration",unit:Nt,shape:"bars",sentence:t=>`${q(t,({time:e})=>e,d.p0)}, turn and checks together.`,columns:[["Time",({time:t})=>(0,d.p0)(t)]],values:[({time:t})=>t]},{id:"chart-tokens",name:"Tokens and cost of each iteration",unit:j("tokens"),shape:"bars",sentence:t=>`${q(t,({tokens:e})=>e,e=>(0,d.hS)(e,"token"))}.`,columns:[["Tokens",({tokens:t})=>I(t,d.zD)],["Cost",({cost:t})=>I(t,d.dR)]],values:[({tokens:t})=>t]},{id:"chart-lines",name:"Lines changed in each iteration",unit:j("lines added ↑ removed ↓"),shape:"bars",sentence:t=>`${(0,d.zD)(Z(t,({added:e})=>e))} lines added and ${(0,d.zD)(Z(t,({removed:e})=>e))} removed over all iterations shown; what was removed is below the line.`,columns:[["Added",({added:t})=>I(t,d.zD)],["Removed",({removed:t})=>I(t,d.zD)]],values:[({added:t})=>t,({removed:t})=>t===null?null:-t]}];function Z(t,e){return Number(X(t.map(e)))}function q(t,e,n){const o=Math.max(...t.map(s=>Number(e(s))));return t.filter(s=>Number(e(s))===o).slice(0,1).map(s=>`Most in ${Dt(s)}: ${n(o)}`).join("")}function Dt({from:t,to:e}){return t===e?`iteration ${t}`:`iterations ${t} to ${e}`}function Ht(t){const e=It(t.map(Mt)),n=Ot.filter(({values:o})=>e.some(r=>o.some(s=>Number(s(r))!==0)));return t.length<2||n.length===0?a`<p>There is too little to draw yet.</p>`:a`<div class="charts">${n.map(o=>Lt(o,e,t.length))}</div>`}function Lt(t,e,n){const{id:o,name:r,sentence:s,columns:i}=t,l=Math.ceil(n/Q),f=l>1?` Each ${t.shape==="line"?"point":"bar"} stands for ${l} iterations in a row.`:"";return a`<figure class="chart" aria-labelledby="${o}">
    <figcaption>
      <h3 id="${o}">${r}</h3>
      <p id="${o}-says">${s(e)}${f}</p>
    </figcaption>
    ${Ft(t,e)}
    <details>
      <summary>Table<span class="hidden">: ${r}</span></summary>
      <div class="wide" tabindex="0" role="region" aria-label="${r}, as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">Iteration</th>
              ${i.map(([m])=>a`<th scope="col">${m}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${e.map(m=>a`<tr>
                  <th scope="row">${m.from===m.to?m.from:`${m.from} to ${m.to}`}</th>
                  ${i.map(([,c])=>a`<td>${c(m)}</td>`)}
                </tr>`)}
          </tbody>
        </table>
      </div>
    </details>
  </figure>`}const Ct=10;function zt(t){const e=Math.ceil(t.length/Ct);return t.flatMap(({from:n},o)=>o%e===0?[n]:[])}const H={width:440,height:190,marginLeft:60,marginRight:12,marginTop:24,marginBottom:38},At=48,Rt=5,jt=1e5,Bt=new Intl.NumberFormat("en-US",{notation:"compact"}),Pt=60;function Wt(t){const[e,n]=[Math.floor(Math.min(0,...t)),Math.ceil(Math.max(0,...t))],o=Math.min(Rt,n-e);return{domain:[e,n],nice:o,ticks:o,grid:!0,tickFormat:s=>Math.abs(s)<jt?(0,d.zD)(Math.abs(s)):Bt.format(Math.abs(s))}}function Ft({id:t,unit:e,values:n,shape:o},r){const s=({from:u,to:v})=>(u+v)/2,{name:i,one:l}=e(r),f=n.map(u=>v=>{const $=u(v);return $===null?null:$/l}),m=(H.width-H.marginLeft-H.marginRight)/r.length,c=Math.max(.5,(m-At)/2),b=f.flatMap((u,v)=>{const $=r.filter(E=>u(E)!==null),W={className:v===0?"series":"series other"};return o==="line"?[(0,N.Mu)($,{x:s,y:u,...W}),(0,N.Om)($.length>Pt?[]:$,{x:s,y:u,r:3,fill:"currentColor",...W})]:(0,N.aT)($,{x1:({from:E})=>E-.5,x2:({to:E})=>E+.5,y:u,insetLeft:c,insetRight:c,...W})}),y={label:"iteration",ticks:zt(r),tickFormat:String},g={label:i,...Wt(f.flatMap(u=>r.map(v=>Number(u(v)))))};return Tt(u=>(0,N.QI)({...H,document:u,x:y,y:g,marks:[(0,N.OJ)([0]),...b]}),{role:"img","aria-labelledby":`${t} ${t}-says`,class:"plot"})}var Ut=p("mf7f4e2"),Gt=p("md2c297"),_=p("mc59343"),Jt=p("me34b18"),tt=p("m382078"),Kt=p("m657e20"),Vt=p("mc8d4c3"),Yt=p("m2646c1");const Qt=1e7,Xt=200,Zt={item:null,checks:[],cost:null,failing:null};async function qt(t,e=Qt){const n=new Map,o=te(n,e),r=[];let s=[],i=null,l;const f=c=>{l=c,c.type==="turn_started"&&(s=[]);const{open:b,closed:y}=(0,Yt.X)(i,c);i=b;for(const u of[y,b]){if(u===null)continue;const v=n.get(u.iteration),$=v===void 0||c.type==="turn_started"&&u===b;n.set(u.iteration,$?{...Zt,told:v?.told??[],meta:u}:{...v,meta:u})}const g=n.get((b??y)?.iteration??0);g!==void 0&&(c.type==="turn_started"&&c.item.id!==Kt.YD&&(g.item=c.item.title),c.type==="turn_ended"&&(g.cost=c.cost??null),c.type==="proved"&&(g.checks=c.verdict.checks,g.failing=c.failing?.failing_count??(c.verdict.result==="passed"?0:null),o(g)))};for await(const{iteration:c,lines:b}of(0,Vt.W)(_t(t,f))){const y=b.map($=>({...$,text:$.text.trim()})).filter(({text:$})=>$!=="");l?.type==="loop_stopped"&&(s=y);const g=l?.type==="turn_ended"?l.iteration:c,u=n.get(g)?.told??r,v=y.filter(({text:$})=>!/^Iteration \d+, /u.test($));u.push(...v.slice(0,Math.max(0,Xt-u.length)))}return{iterations:[...n.values()].map(({meta:c,...b})=>({...c,...b})),before:r,ending:s}}async function*_t(t,e){for await(const n of t)e(n),yield n}function te(t,e){let n=0;return o=>{n+=et(o);for(const r of t.values()){if(n<=e||r===o)return;n-=et(r),r.checks=r.checks.map(s=>({...s,tail:""}))}}}function et({checks:t}){return t.reduce((e,{tail:n})=>e+n.length,0)}function nt(t){return`${new Date(t).toISOString().slice(0,19).replace("T"," ")} UTC`}function ee({exitCode:t,timedOut:e}){return t===0&&!e}function ne(t){const e=t.timedOut?"timed out":t.exitCode===null?"did not end":`exit ${t.exitCode}`,n=t.tests===null||t.tests.failed===0?[]:[`${(0,d.hS)(t.tests.failed,"test")} failed`];return`${(0,h.TN)((0,O.v8)(t))}: ${[e,(0,d.p0)(t.durationMs),...n].join(", ")}`}function ot(t){const{agent:e,change:n,failing:o,checks:r,verdict:s,usage:i,cost:l}=t,f=t.turn_ms+r.reduce((m,{durationMs:c})=>m+c,0);return[...e===null?["its turn has not ended"]:e==="ok"?[]:[`turn: ${e.replaceAll("_"," ")}`],oe[s],...o===null||o===0?[]:[`${(0,d.hS)(o,"test")} failing`],...n===null?[]:[`${(0,d.hS)(n.files,"file")} +${n.added} −${n.removed}`],...f===0?[]:[(0,d.p0)(f)],...i===null?[]:[(0,d.hS)((0,G.RP)(i),"token")],...l===null?[]:[(0,d.dR)(l)]].join(" · ")}const oe={passed:"checks passed",failed:"checks failed",cut_off:"checks cut off",unrunnable:"a check could not run",none:"not checked"};function rt({verdict:t,agent:e}){return t==="passed"?"good":t==="none"&&(e==="ok"||e===null||e==="abandoned")?"open":"bad"}function re(t,{ending:e},n){return a`${ae(t)}${ie(t)}
    <section aria-labelledby="next">
      <h2 id="next">What you have to do</h2>
      ${le(t)}
    </section>
    <section aria-labelledby="rule">
      <h2 id="rule">What stopped it</h2>
      ${ue(t,e)}
    </section>
    <section aria-labelledby="tests">
      <h2 id="tests">Failing tests</h2>
      ${me(t)}
    </section>
    <section aria-labelledby="files">
      <h2 id="files">Files changed</h2>
      ${he(t)}
    </section>
    <section aria-labelledby="took">
      <h2 id="took">Time, tokens, cost</h2>
      ${ge(t)}
    </section>
    <section aria-labelledby="strip">
      <h2 id="strip">Iterations at a glance</h2>
      ${$e(n)}
    </section>`}function ae({protection:t}){const e=(0,Jt.o)(t);return a`${e.length>0&&a`<aside class="danger" aria-label="Warning">
      <p>Warning: run this only where nothing is of value.</p>
      ${L(e)}
    </aside>`}`}function L(t){return a`<ul>
    ${t.map(e=>a`<li>${e}</li>`)}
  </ul>`}const se={good:"good",bad:"bad",warn:"warn"};function ie(t){const{state:e}=t,{how:n,why:o,tone:r}=(0,U.L2)(t),s=(0,D.Yw)(e),i=e.iterations.findLast(m=>m.commit!==null)?.commit??null,l=[["Command",s===null||s.checks.length===0?"none":s.checks.map((m,c)=>a`${c>0&&", "}<code>${(0,h.TN)((0,O.v8)(m))}</code>`)],["Commit",i===null?"none":a`<code>${i.slice(0,12)}</code>`],["Iteration",`${(0,d.zD)(e.iteration)} of ${(0,d.zD)(e.max_iterations)}`],...t.branch===null?[]:[["Branch",a`<code>${(0,h.TN)(t.branch)}</code>`]]],f=(0,tt.OD)(t);return a`<section aria-labelledby="verdict" class="verdict ${r in se?r:"plain"}">
    <h1 id="verdict"><span class="how">${n}</span> <span class="why">${k(o,B(t))}</span></h1>
    <dl class="facts">
      ${l.map(([m,c])=>a`<div>
            <dt>${m}</dt>
            <dd>${c}</dd>
          </div>`)}
    </dl>
    ${f.length>0&&L(f.map(m=>k(m.text,B(t))))}
  </section>`}function B({state:t}){const{stop_reason:e}=t,n=(0,D.Yw)(t)?.checks??[],o=e!==null&&"command"in e?[e.command]:[];return[...n.flatMap(r=>[(0,O.v8)(r),r.command]),...o].map(h.TN)}function le(t){const e=(0,S.sk)(t),n=de(t,e),o=(0,S.z6)(t.state)?.outcome.resumableBy==="nobody",r=n!==void 0&&e.endsWith(`: ${n}`)?e.slice(0,-n.length):e;return a`<p>${o&&a`<strong>Nothing</strong> to start or to answer. `}${k(r)}</p>
    ${n!==void 0&&yt("resume",n,"the command")}`}const ce=/^(?:(?:waylon-)?smithers|daedalus) /u;function de({resume:t},e){return ce.test(t)&&e.includes(t)?t:/\/smithers prd [\w.-]+ (?:retry|accept) US-[\d-]+/u.exec(e)?.[0]}function ue(t,e){if((0,S.z6)(t.state)===void 0)return a`<p>
      ${t.alive?"Nothing: it is running.":"No rule: its run was killed, or an error ended it."}
    </p>`;const n=e.length===0?[(0,S.O4)(t)]:e.map(({text:o})=>o);return L(n.map(o=>k(o,B(t))))}const C=5;function me({state:t}){const{baseline:e,failing:n}=t,{failing:o}=(0,D.oX)(t),r=n??(o===null?{failing:[],failing_count:0}:null);return a`<div class="pair">
    <div>
      <h3>At the start</h3>
      ${at(e)}
    </div>
    <div>
      <h3>Now</h3>
      ${at(r)}
    </div>
  </div>`}function at(t){if(t===null)return a`<p>Not known.</p>`;const{failing:e,failing_count:n}=t;if(n===0)return a`<p>None.</p>`;const o=e.map(s=>a`<li><code>${(0,h.Jj)((0,h.TN)(s),300)}</code></li>`),r=n-e.length;return a`<p>${(0,d.hS)(n,"test")}</p>
    <ul>
      ${o.slice(0,C)}
    </ul>
    ${o.length>C&&a`<details>
        <summary>${o.length-C} more</summary>
        <ul>
          ${o.slice(C)}
        </ul>
      </details>`}${r>0&&a`<p>${(0,d.hS)(r,"more test")} without a name here.</p>`}`}const fe=/^(?<path>.*) \| (?<counts>.*)$/u;function pe({stat:t}){return t.split(`
`).flatMap(n=>{const{path:o,counts:r}=fe.exec(n)?.groups??{};return o===void 0||r===void 0?[]:[{path:o,counts:r.replace("-","−"),kind:(0,Ut.t7)(o)?"CI":(0,Gt.MQ)(o)?"test":""}]}).toSorted((n,o)=>+(n.kind==="")-+(o.kind===""))}function he({change:t}){if(t===null)return a`<p>Not known: nothing is measured here, or the loop's files were cleaned away.</p>`;if(t.files===0)return a`<p>None.</p>`;const e=pe(t),n=t.files-e.length,o=e.some(({kind:r})=>r!=="");return a`<p>
      ${(0,d.hS)(t.files,"file")}, <span class="plus">+${(0,d.zD)(t.added)}</span>
      <span class="minus">−${(0,d.zD)(t.removed)}</span>
    </p>
    <div class="wide" tabindex="0" role="region" aria-label="Changed files">
      <table>
        <thead>
          <tr>
            <th scope="col">File</th>
            ${o&&a`<th scope="col">Kind</th>`}
            <th scope="col">Lines</th>
          </tr>
        </thead>
        <tbody>
          ${e.map(({path:r,kind:s,counts:i})=>a`<tr>
                <td><code>${(0,h.TN)(r)}</code></td>
                ${o&&a`<td>${s}</td>`}
                <td>${(0,h.TN)(i)}</td>
              </tr>`)}
        </tbody>
      </table>
    </div>
    ${n>0&&a`<p>${(0,d.hS)(n,"more file")}.</p>`}`}function ge(t){const{state:e}=t,{spent:n}=e,o=e.status==="completed"||e.status==="canceled"?void 0:(0,_.xn)(e),r=[["Time",(0,d.p0)(n.turn_ms+n.check_ms)],["Tokens",(0,d.zD)(n.tokens)],["Cost",(0,_.vQ)(e)??"–"],...o===void 0?[]:[["Still needed",`${o} at this pace`]]];return a`<dl class="facts">
      ${r.map(([s,i])=>a`<div>
            <dt>${s}</dt>
            <dd>${i}</dd>
          </div>`)}
    </dl>
    <details>
      <summary>In detail</summary>
      ${L((0,tt.Sd)(t).map(s=>k(s)))}
    </details>`}function $e(t){if(t.length===0)return a`<p>No iteration has begun.</p>`;const e=t.length>ye,[n,o]=[t[0],t.at(-1)];return a`<ol class="strip${e&&" dense"}">
      ${t.map(r=>a`<li>
            <a href="#${T(r.iteration)}" title="${ot(r)}"
              >${z(rt(r))}<span class="hidden">iteration </span><span class="number">${r.iteration}</span></a
            >
          </li>`)}
    </ol>
    <p class="legend">
      ✓ checks passed · ✗ failed · –
      not${be}checked${e&&` · from iteration ${n?.iteration} to ${o?.iteration}, in their order`}
    </p>`}const be=" ",ye=60;function st(t,e){const{iteration:n,item:o}=t;return a`<details class="iteration searched">
    <summary>
      ${z(rt(t))}<strong>Iteration ${n}</strong> · ${o!==null&&`${(0,h.Jj)((0,h.TN)(o),120)} · `}
      ${ve(ot(t))}
    </summary>
    <div id="${T(n)}" class="folded">${e}</div>
  </details>`}function ve(t){return t.replaceAll(/(?<!·) (?!·)/gu," ")}function we(t,e,n){const{iteration:o,commit:r,checks:s,told:i,started_at:l}=t,{prompt:f,changes:m,message:c}=e,b=f===null&&m===null&&e.checks===null,y=T(o);return a`<p class="dim">
      Began ${nt(l)}${r!==null&&a`, commit <code>${r.slice(0,12)}</code>`} ·
      <a href="#${y}">#${y}</a>
    </p>
    <ul>
      ${i.map(({text:g})=>a`<li>${(0,h.Jj)(g,ke)}</li>`)}
    </ul>
    ${s.map((g,u)=>Te(o,g,u+1))}
    ${n&&b&&xe} ${P(o,"output","All that the checks said",e.checks)}
    ${n&&[Ne(o,m),P(o,"prompt","Prompt",f),P(o,"message","Last message of the agent",c)]}`}const xe=a`<p class="note">
  Its prompt, its diff and all that its checks said are not kept: only those of the last 50 iterations are.
</p>`,ke=1e3;function Te(t,e,n){const o=(0,h.TN)((0,F.T9)(e)),r=`end of the output of check ${n} of iteration ${t}`,s=e.tail.trim()===""?a`<p>No output is kept here.</p>`:K(e.tail,r);return A(T(t,"check",n),a`${z(ee(e)?"good":"bad")}${ne(e)}`,a`${o!==""&&a`<p>${o}</p>`}${s}`)}function P(t,e,n,o){if(o===null||o.text==="")return null;const r=`${n}, iteration ${t}`;return A(T(t,e),n,a`${it(o)}${K(o.text,r)}`)}function it({leftOut:t,part:e}){return t===0?null:a`<p class="note">
        Only its ${e} is shown: ${(0,d.zD)(t)} bytes are left out here, and in the loop's folder.
      </p>`}const Se=[[/^(?:diff |index |--- |\+\+\+ |\[cut: )/u,"head"],[/^@@/u,"at"],[/^\+/u,"add"],[/^-/u,"cut"]];function Ne(t,e){if(e===null||e.text==="")return null;const n=e.text.split(`
`).map(r=>{const s=Se.find(([i])=>i.test(r))?.[1];return[s===void 0?r:a`<span class="${s}">${r}</span>`,`
`]}),o=a`<pre class="diff" tabindex="0" role="region" aria-label="Changes, iteration ${t}">${n}</pre>`;return A(T(t,"changes"),"Changes",a`${it(e)}${o}`)}const lt=String.raw`"use strict";
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
`,ct=`
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
`,Me=1e7,dt=2e3,Ie=500;async function Ee(t,e=Me){const{view:n,withTexts:o}=t,r=await qt(t.events),s=r.iterations.slice(-dt),l={top:re(n,r,s),charts:Ht(s),agent:De(t,r),stories:He(n)},f=s.map(u=>st(u,ut)),m=mt(ht(n,l,[ft(r),...f],o)),c=await Oe(t,s,e-m),b=s.map(u=>st(u,c.get(u.iteration)??ut)),y=r.iterations.length-s.length,g=y>0&&a`<p>
      ${(0,d.hS)(y,"earlier iteration")} are not on this page: it shows the last ${(0,d.zD)(dt)}.
    </p>`;return ht(n,l,[a`${g}`,ft(r),...b],o)}const ut=a`<p class="note">
  What this iteration wrote is left out, because the page would be too long. It is in the loop's folder.
</p>`;async function Oe({textsOf:t,withTexts:e},n,o){const r=new Map;let s=o;for(const i of n.toReversed()){const l=we(i,await t(i.iteration),e);if(s-=mt(l.text),s<0)break;r.set(i.iteration,l)}return r}function mt(t){return Buffer.byteLength(t)}function ft({before:t}){const e=t.slice(0,100);return e.length===0?a``:a`<details class="iteration searched">
    <summary>Before the first iteration</summary>
    <div id="i0" class="folded">
      <ul>
        ${e.map(({text:n})=>a`<li>${(0,h.Jj)(n,1e3)}</li>`)}
      </ul>
    </div>
  </details>`}function De({view:t,withTexts:e},n){const{state:o}=t,{failing:r}=(0,D.oX)(o),s=o.failing?.failing??[],l=[e?`Task:
${o.prompt.trim()}`:"",`State:
${(0,U.WJ)(t).text}`,s.length===0?"":`Failing tests:
${s.map(f=>`- ${(0,h.TN)(f)}`).join(`
`)}`,r===null?"":`Last output of ${(0,h.TN)((0,O.v8)(r))}:
${r.tail.trim()||(0,F.UN)(r)}`,`Decision:
${[...n.ending.map(({text:f})=>f),`next: ${(0,S.sk)(t)}`].join(`
`)}`].filter(f=>f!=="").join(`

`);return a`${Y("for-an-agent","for an agent")}
    <details>
      <summary>Task, failing tests, last output and decision, as one text</summary>
      ${V("for-an-agent",l,"for an agent")}
    </details>`}function He({state:t,prd:e}){const n=(0,w.u2)(t,e);if(n===null)return null;const o=(0,w.gR)(n),{rows:r,rest:s}=(0,w.NB)(n.stories,Ie);return a`<p>${(0,w.Wl)(n)}.${o!==void 0&&` At work on ${o}.`}</p>
    <ul>
      ${r.map(i=>a`<li class="searched" id="${i.id}">
            <span aria-hidden="true">${w.t5[i.status]}</span> <strong>${i.id}</strong> ${(0,w._Q)(i)}:
            ${(0,w.sV)(i)}${i.commit!==null&&a`, <code>${i.commit.slice(0,12)}</code>`}
          </li>`)}
    </ul>
    ${s!==""&&a`<p>${s}.</p>`}`}function pt(t){return`'sha256-${(0,$t.createHash)("sha256").update(t).digest("base64")}'`}function Le(){return["default-src 'none'",`script-src ${pt(lt)}`,`style-src ${pt(ct)}`,"img-src data:","base-uri 'none'","form-action 'none'"].join("; ")}const Ce=a`<p class="note">
  Prompts, messages of the agent and diffs are left out of this page, because its readers may not be those who may see
  them.
</p>`;function ht(t,e,n,o){const{loop_id:r,generation:s,updated_at:i,iteration:l}=t.state,f=l===0?"None has begun.":"The events of this loop are gone, so they are not known.",m=n.every(({text:c})=>c==="")?a`<p>${f}</p>`:a`${n}`;return a`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        ${new x(`<meta http-equiv="Content-Security-Policy" content="${Le()}">`)}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>Loop ${r}</title>
        ${new x(`<style>${ct}</style>`)}
      </head>
      <body>
        <a class="skip" href="#iterations">To the iterations</a>
        <main>${e.top} ${o?null:Ce} ${ze(e,m)}</main>
        <footer>
          <p>
            Loop ${r}, generation ${s}, as of ${nt(i)}. Made by smithers; nothing on this page is loaded or sent.
          </p>
        </footer>
        ${new x(`<script>${lt}<\/script>`)}
      </body>
    </html> `.text}function ze({charts:t,agent:e,stories:n},o){const r=(s,i,l)=>a`<section aria-labelledby="${s}">
      <h2 id="${s}">${i}</h2>
      ${l}
    </section>`;return a`${r("agent","Copy for an agent",e)} ${r("charts","Charts",t)}
    <form id="search" role="search" hidden>
      <label for="search-for">Search iterations${n!==null&&" and stories"}</label>
      <input id="search-for" type="search" autocomplete="off" />
      <p id="search-found" role="status" class="dim"></p>
    </form>
    ${r("iterations","Iterations",o)}
    ${n!==null&&r("stories","Stories",n)}`}})};export{Re as id,je as ids,Be as modules};
//# sourceMappingURL=report-page.js.map
