const ye="report-page",we=["report-page"],xe={m77b224:((ve,ut,f)=>{f.d(ut,{reportPage:()=>me});var mt=f("mf203b1"),j=f("m20624b"),M=f("m0b5f83"),c=f("mef5322"),R=f("maffb16"),$=f("m962097"),D=f("m4c721d"),k=f("m7358cf"),y=f("mc2cfc0"),N=f("maf4b51"),P=f("md3f2d5");class w{text;constructor(e){this.text=e}}function T(t){return(0,$.wh)(t).replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;").replaceAll('"',"&quot;").replaceAll("'","&#39;")}function W(t){return t==null||t===!1?"":t instanceof w?t.text:typeof t=="string"?T(t):typeof t=="number"?String(t):t.map(W).join("")}function s(t,...e){return new w(t.map((n,o)=>n+W(e[o])).join(""))}function S(t){const e=t.split(/`([^`]+)`/u);return s`${e.map((n,o)=>o%2===0?n:s`<code>${n}</code>`)}`}function x(t,e="",n){return[`i${t}`,...e===""?[]:[e],...n===void 0?[]:[n]].join("-")}const ft={good:["✓","passed"],bad:["✗","failed"],open:["–","not proved"]};function L(t){const[e,n]=ft[t];return s`<span class="mark ${t}" aria-hidden="true">${e}</span><span class="hidden">${n}:</span> `}function O(t,e,n,o="fold"){return s`<details class="${o}">
    <summary>${e}</summary>
    <div id="${t}" class="folded">${n}</div>
  </details>`}function B(t,e){return s`<pre tabindex="0" role="region" aria-label="${e}">${t}</pre>`}function F(t,e,n){return s`<div class="copyable">
    ${new w(`<pre id="${t}" tabindex="0" role="region" aria-label="${T(n)}">${T(e)}</pre>`)}<button
      type="button"
      data-copy="${t}"
      hidden
    >
      Copy<span class="hidden"> ${n}</span>
    </button>
  </div>`}const pt="http://www.w3.org/2000/svg",ht=new Set(["aria-label","aria-description","style"]);class gt{#t;constructor(e){this.#t=e}get text(){return T(this.#t)}}class z{namespaceURI=pt;localName;ownerDocument;childNodes=[];#t=new Map;constructor(e,n){this.localName=e,this.ownerDocument=n}setAttribute(e,n){this.#t.set(e,String(n))}removeAttribute(e){this.#t.delete(e)}appendChild(e){return this.childNodes.push(e),e}insertBefore(e){return this.appendChild(e)}set textContent(e){this.childNodes.splice(0,1/0,new gt(String(e)))}get text(){if(this.localName==="style")return"";const n=[...this.#t].filter(([o])=>!ht.has(o)).map(([o,r])=>` ${o}="${T(r)}"`).join("");return`<${this.localName}${n}>${this.childNodes.map(({text:o})=>o).join("")}</${this.localName}>`}}class $t{documentElement=new z("html",this);createElementNS(e,n){return new z(n,this)}}function bt(t,e){const n=[t(new $t)].filter(o=>o instanceof z);for(const o of n)for(const[r,a]of Object.entries(e))o.setAttribute(r,a);return new w(n.map(({text:o})=>o).join(""))}const G=150,J=6e4;function vt(t){const e=t.checks.reduce((n,{durationMs:o})=>n+o,0);return{iteration:t.iteration,failing:t.failing,tokens:t.usage===null?null:(0,P.RP)(t.usage),cost:t.cost,time:(t.turn_ms+e)/J,added:t.change?.added??null,removed:t.change?.removed??null}}function yt(t){const e=Math.ceil(t.length/G);return t.flatMap((n,o)=>{if(o%e!==0)return[];const r=t.slice(o,o+e),a=i=>U(r.map(i));return{from:n.iteration,to:r.reduce((i,{iteration:l})=>l,n.iteration),failing:r.reduce((i,{failing:l})=>l??i,null),tokens:a(({tokens:i})=>i),cost:a(({cost:i})=>i),time:r.reduce((i,{time:l})=>i+l,0),added:a(({added:i})=>i),removed:a(({removed:i})=>i)}})}function U(t){return t.reduce((e,n)=>n===null?e:n+(e??0),null)}const wt="–",I=(t,e)=>t===null?wt:e(t),K=t=>(0,c.p0)(Math.round(t*J)),xt=[{id:"chart-failing",name:"Failing tests after each iteration",unit:"failing tests",shape:"line",sentence:t=>{const e=t.flatMap(({failing:n})=>n===null?[]:[n]);return`From ${e[0]} after the first count to ${e.at(-1)} after the last; at most ${Math.max(...e)}.`},columns:[["Failing tests",({failing:t})=>I(t,c.zD)]],values:[({failing:t})=>t]},{id:"chart-time",name:"Time of each iteration",unit:"minutes",shape:"bars",sentence:t=>`${Q(t,({time:e})=>e,K)}, turn and checks together.`,columns:[["Time",({time:t})=>K(t)]],values:[({time:t})=>t]},{id:"chart-tokens",name:"Tokens and cost of each iteration",unit:"tokens",shape:"bars",sentence:t=>`${Q(t,({tokens:e})=>e,e=>(0,c.hS)(e,"token"))}.`,columns:[["Tokens",({tokens:t})=>I(t,c.zD)],["Cost",({cost:t})=>I(t,c.dR)]],values:[({tokens:t})=>t]},{id:"chart-lines",name:"Lines changed in each iteration",unit:"lines added ↑ removed ↓",shape:"bars",sentence:t=>`${(0,c.zD)(V(t,({added:e})=>e))} lines added and ${(0,c.zD)(V(t,({removed:e})=>e))} removed over all iterations shown; what was removed is below the line.`,columns:[["Added",({added:t})=>I(t,c.zD)],["Removed",({removed:t})=>I(t,c.zD)]],values:[({added:t})=>t,({removed:t})=>t===null?null:-t]}];function V(t,e){return Number(U(t.map(e)))}function Q(t,e,n){const o=Math.max(...t.map(a=>Number(e(a))));return t.filter(a=>Number(e(a))===o).slice(0,1).map(a=>`Most in ${kt(a)}: ${n(o)}`).join("")}function kt({from:t,to:e}){return t===e?`iteration ${t}`:`iterations ${t} to ${e}`}function Nt(t){const e=yt(t.map(vt)),n=xt.filter(({values:o})=>e.some(r=>o.some(a=>Number(a(r))!==0)));return t.length<2||n.length===0?s`<p>There is too little to draw yet.</p>`:s`${n.map(o=>Tt(o,e,t.length))}`}function Tt(t,e,n){const{id:o,name:r,sentence:a,columns:i}=t,l=Math.ceil(n/G),m=l>1?` Each ${t.shape==="line"?"point":"bar"} stands for ${l} iterations in a row.`:"";return s`<figure class="chart" aria-labelledby="${o}">
    <figcaption>
      <h3 id="${o}">${r}</h3>
      <p id="${o}-says">${a(e)}${m}</p>
    </figcaption>
    <div class="wide" tabindex="0" role="region" aria-label="${r}, drawn">${Ct(t,e)}</div>
    <details>
      <summary>Table<span class="hidden">: ${r}</span></summary>
      <div class="wide" tabindex="0" role="region" aria-label="${r}, as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">Iteration</th>
              ${i.map(([d])=>s`<th scope="col">${d}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${e.map(d=>s`<tr>
                  <th scope="row">${d.from===d.to?d.from:`${d.from} to ${d.to}`}</th>
                  ${i.map(([,u])=>s`<td>${u(d)}</td>`)}
                </tr>`)}
          </tbody>
        </table>
      </div>
    </details>
  </figure>`}const St=10;function It(t){const e=Math.ceil(t.length/St);return t.flatMap(({from:n},o)=>o%e===0?[n]:[])}const Et={width:640,height:180,marginLeft:56,marginTop:24};function Ct({id:t,unit:e,values:n,shape:o},r){const a=({from:d,to:u})=>(d+u)/2,i=n.flatMap((d,u)=>{const h=r.filter(p=>d(p)!==null),b={className:u===0?"series":"series other"};return o==="line"?[(0,N.Mu)(h,{x:a,y:d,...b}),(0,N.Om)(h,{x:a,y:d,r:3,fill:"currentColor",...b})]:(0,N.aT)(h,{x1:({from:p})=>p-.5,x2:({to:p})=>p+.5,y:d,inset:.5,...b})}),l={label:"iteration",ticks:It(r),tickFormat:String},m={label:e,grid:!0,zero:!0};return bt(d=>(0,N.QI)({...Et,document:d,x:l,y:m,marks:[(0,N.OJ)([0]),...i]}),{role:"img","aria-labelledby":`${t} ${t}-says`,class:"plot"})}var Ht=f("mf7f4e2"),Mt=f("md2c297"),X=f("mc59343"),Dt=f("me34b18"),Y=f("m382078"),Lt=f("mc8d4c3"),Ot=f("m2646c1");const zt=1e7,At=200,jt={checks:[],cost:null,failing:null};async function Rt(t,e=zt){const n=new Map,o=Wt(n,e),r=[];let a=[],i=null,l;const m=u=>{l=u,u.type==="turn_started"&&(a=[]);const{open:h,closed:b}=(0,Ot.X)(i,u);i=h;for(const g of[b,h]){if(g===null)continue;const E=n.get(g.iteration),v=E===void 0||u.type==="turn_started"&&g===h;n.set(g.iteration,v?{...jt,told:E?.told??[],meta:g}:{...E,meta:g})}const p=n.get((h??b)?.iteration??0);p!==void 0&&(u.type==="turn_ended"&&(p.cost=u.cost??null),u.type==="proved"&&(p.checks=u.verdict.checks,p.failing=u.failing?.failing_count??(u.verdict.result==="passed"?0:null),o(p)))};for await(const{iteration:u,lines:h}of(0,Lt.W)(Pt(t,m))){const b=h.map(v=>({...v,text:v.text.trim()})).filter(({text:v})=>v!=="");l?.type==="loop_stopped"&&(a=b);const p=l?.type==="turn_ended"?l.iteration:u,g=n.get(p)?.told??r,E=b.filter(({text:v})=>!/^Iteration \d+, /u.test(v));g.push(...E.slice(0,Math.max(0,At-g.length)))}return{iterations:[...n.values()].map(({meta:u,...h})=>({...u,...h})),before:r,ending:a}}async function*Pt(t,e){for await(const n of t)e(n),yield n}function Wt(t,e){let n=0;return o=>{n+=Z(o);for(const r of t.values()){if(n<=e||r===o)return;n-=Z(r),r.checks=r.checks.map(a=>({...a,tail:""}))}}}function Z({checks:t}){return t.reduce((e,{tail:n})=>e+n.length,0)}function Bt({exitCode:t,timedOut:e}){return t===0&&!e}function Ft(t){const e=t.timedOut?"timed out":t.exitCode===null?"did not end":`exit ${t.exitCode}`,n=t.tests===null||t.tests.failed===0?[]:[`${(0,c.hS)(t.tests.failed,"test")} failed`];return`${(0,$.TN)((0,M.v8)(t))}: ${[e,(0,c.p0)(t.durationMs),...n].join(", ")}`}function q(t){const{agent:e,change:n,failing:o,checks:r,verdict:a,usage:i,cost:l}=t,m=t.turn_ms+r.reduce((d,{durationMs:u})=>d+u,0);return[...e===null?["its turn has not ended"]:e==="ok"?[]:[`turn: ${e.replaceAll("_"," ")}`],Gt[a],...o===null||o===0?[]:[`${(0,c.hS)(o,"test")} failing`],...n===null?[]:[`${(0,c.hS)(n.files,"file")} +${n.added} −${n.removed}`],...m===0?[]:[(0,c.p0)(m)],...i===null?[]:[(0,c.hS)((0,P.RP)(i),"token")],...l===null?[]:[(0,c.dR)(l)]].join(" · ")}const Gt={passed:"checks passed",failed:"checks failed",cut_off:"checks cut off",unrunnable:"a check could not run",none:"not checked"};function _({verdict:t,agent:e}){return t==="passed"?"good":t==="none"&&(e==="ok"||e===null||e==="abandoned")?"open":"bad"}function Jt(t,{ending:e},n){return s`${Ut(t)}${Vt(t)}
    <section aria-labelledby="next">
      <h2 id="next">What you have to do</h2>
      ${Qt(t)}
    </section>
    <section aria-labelledby="rule">
      <h2 id="rule">What stopped it</h2>
      ${Zt(t,e)}
    </section>
    <section aria-labelledby="tests">
      <h2 id="tests">Failing tests</h2>
      ${qt(t)}
    </section>
    <section aria-labelledby="files">
      <h2 id="files">Files changed</h2>
      ${ee(t)}
    </section>
    <section aria-labelledby="took">
      <h2 id="took">Time, tokens, cost</h2>
      ${ne(t)}
    </section>
    <section aria-labelledby="strip">
      <h2 id="strip">Iterations at a glance</h2>
      ${oe(n)}
    </section>`}function Ut({protection:t}){const e=(0,Dt.o)(t);return s`${e.length>0&&s`<aside class="danger" aria-label="Warning">
      <p>Warning: run this only where nothing is of value.</p>
      ${C(e)}
    </aside>`}`}function C(t){return s`<ul>
    ${t.map(e=>s`<li>${e}</li>`)}
  </ul>`}const Kt={good:"good",bad:"bad",warn:"warn"};function Vt(t){const{state:e}=t,{text:n,tone:o}=(0,R.WJ)(t),r=(0,D.Yw)(e),a=e.iterations.findLast(m=>m.commit!==null)?.commit??null,i=[["Command",r===null||r.checks.length===0?"none":r.checks.map((m,d)=>s`${d>0&&", "}<code>${(0,$.TN)((0,M.v8)(m))}</code>`)],["Commit",a===null?"none":s`<code>${a.slice(0,12)}</code>`],["Iteration",`${(0,c.zD)(e.iteration)} of ${(0,c.zD)(e.max_iterations)}`],...t.branch===null?[]:[["Branch",s`<code>${(0,$.TN)(t.branch)}</code>`]]],l=(0,Y.OD)(t);return s`<section aria-labelledby="verdict" class="verdict ${o in Kt?o:"plain"}">
    <h1 id="verdict">${S(n)}</h1>
    <dl class="facts">
      ${i.map(([m,d])=>s`<div>
            <dt>${m}</dt>
            <dd>${d}</dd>
          </div>`)}
    </dl>
    ${l.length>0&&C(l.map(m=>S(m.text)))}
  </section>`}function Qt(t){const e=(0,k.sk)(t),n=Yt(t,e),o=(0,k.z6)(t.state)?.outcome.resumableBy==="nobody";return s`<p>${o&&s`<strong>Nothing</strong> to start or to answer. `}${S(e)}</p>
    ${n!==void 0&&F("resume",n,"the command")}`}const Xt=/^(?:(?:waylon-)?smithers|daedalus) /u;function Yt({resume:t},e){return Xt.test(t)&&e.includes(t)?t:/\/smithers prd [\w.-]+ (?:retry|accept) US-[\d-]+/u.exec(e)?.[0]}function Zt(t,e){if((0,k.z6)(t.state)===void 0)return s`<p>
      ${t.alive?"Nothing: it is running.":"No rule: its run was killed, or an error ended it."}
    </p>`;const n=e.length===0?[(0,k.O4)(t)]:e.map(({text:o})=>o);return C(n.map(S))}const H=10;function qt({state:t}){const{baseline:e,failing:n}=t,{failing:o}=(0,D.oX)(t),r=n??(o===null?{failing:[],failing_count:0}:null);return s`<div class="pair">
    <div>
      <h3>At the start</h3>
      ${tt(e)}
    </div>
    <div>
      <h3>Now</h3>
      ${tt(r)}
    </div>
  </div>`}function tt(t){if(t===null)return s`<p>Not known.</p>`;const{failing:e,failing_count:n}=t;if(n===0)return s`<p>None.</p>`;const o=e.map(a=>s`<li><code>${(0,$.Jj)((0,$.TN)(a),300)}</code></li>`),r=n-e.length;return s`<p>${(0,c.hS)(n,"test")}</p>
    <ul>
      ${o.slice(0,H)}
    </ul>
    ${o.length>H&&s`<details>
        <summary>${o.length-H} more</summary>
        <ul>
          ${o.slice(H)}
        </ul>
      </details>`}${r>0&&s`<p>${(0,c.hS)(r,"more test")} without a name here.</p>`}`}const _t=/^(?<path>.*) \| (?<counts>.*)$/u;function te({stat:t}){return t.split(`
`).flatMap(n=>{const{path:o,counts:r}=_t.exec(n)?.groups??{};return o===void 0||r===void 0?[]:[{path:o,counts:r.replace("-","−"),kind:(0,Ht.t7)(o)?"CI":(0,Mt.MQ)(o)?"test":""}]}).toSorted((n,o)=>+(n.kind==="")-+(o.kind===""))}function ee({change:t}){if(t===null)return s`<p>Not known: nothing is measured here, or the loop's files were cleaned away.</p>`;if(t.files===0)return s`<p>None.</p>`;const e=te(t),n=t.files-e.length,o=e.some(({kind:r})=>r!=="");return s`<p>
      ${(0,c.hS)(t.files,"file")}, <span class="plus">+${(0,c.zD)(t.added)}</span>
      <span class="minus">−${(0,c.zD)(t.removed)}</span>
    </p>
    <div class="wide" tabindex="0" role="region" aria-label="Changed files">
      <table>
        <thead>
          <tr>
            <th scope="col">File</th>
            ${o&&s`<th scope="col">Kind</th>`}
            <th scope="col">Lines</th>
          </tr>
        </thead>
        <tbody>
          ${e.map(({path:r,kind:a,counts:i})=>s`<tr>
                <td><code>${(0,$.TN)(r)}</code></td>
                ${o&&s`<td>${a}</td>`}
                <td>${(0,$.TN)(i)}</td>
              </tr>`)}
        </tbody>
      </table>
    </div>
    ${n>0&&s`<p>${(0,c.hS)(n,"more file")}.</p>`}`}function ne(t){const{state:e}=t,{spent:n}=e,o=e.status==="completed"||e.status==="canceled"?void 0:(0,X.xn)(e),r=[["Time",(0,c.p0)(n.turn_ms+n.check_ms)],["Tokens",(0,c.zD)(n.tokens)],["Cost",(0,X.vQ)(e)??"–"],...o===void 0?[]:[["Still needed",`${o} at this pace`]]];return s`<dl class="facts">
      ${r.map(([a,i])=>s`<div>
            <dt>${a}</dt>
            <dd>${i}</dd>
          </div>`)}
    </dl>
    <details>
      <summary>In detail</summary>
      ${C((0,Y.Sd)(t).map(S))}
    </details>`}function oe(t){return t.length===0?s`<p>No iteration has begun.</p>`:s`<ol class="strip">
      ${t.map(e=>s`<li>
            <a href="#${x(e.iteration)}" title="${q(e)}"
              >${L(_(e))}<span class="hidden">iteration </span>${e.iteration}</a
            >
          </li>`)}
    </ol>
    <p class="legend">✓ checks passed · ✗ failed · – not checked</p>`}function et(t,e){const{iteration:n,item:o}=t;return s`<details class="iteration searched">
    <summary>
      ${L(_(t))}<strong>Iteration ${n}</strong> · ${(0,$.Jj)((0,$.TN)(o),120)} ·
      ${q(t)}
    </summary>
    <div id="${x(n)}" class="folded">${e}</div>
  </details>`}function re(t,e,n){const{iteration:o,commit:r,checks:a,told:i,started_at:l}=t,{prompt:m,changes:d,message:u}=e,h=m===null&&d===null&&e.checks===null,b=x(o);return s`<p class="dim">
      Began ${l}${r!==null&&s`, commit <code>${r.slice(0,12)}</code>`} ·
      <a href="#${b}">#${b}</a>
    </p>
    <ul>
      ${i.map(({text:p})=>s`<li>${(0,$.Jj)(p,ae)}</li>`)}
    </ul>
    ${a.map((p,g)=>ie(o,p,g+1))}
    ${n&&h&&se} ${A(o,"output","All that the checks said",e.checks)}
    ${n&&[de(o,d),A(o,"prompt","Prompt",m),A(o,"message","Last message of the agent",u)]}`}const se=s`<p class="note">
  Its prompt, its diff and all that its checks said are not kept: only those of the last 50 iterations are.
</p>`,ae=1e3;function ie(t,e,n){const o=(0,$.TN)((0,j.T9)(e)),r=`end of the output of check ${n} of iteration ${t}`,a=e.tail.trim()===""?s`<p>No output is kept here.</p>`:B(e.tail,r);return O(x(t,"check",n),s`${L(Bt(e)?"good":"bad")}${Ft(e)}`,s`${o!==""&&s`<p>${o}</p>`}${a}`)}function A(t,e,n,o){if(o===null||o.text==="")return null;const r=`${n}, iteration ${t}`;return O(x(t,e),n,s`${nt(o)}${B(o.text,r)}`)}function nt({leftOut:t,part:e}){return t===0?null:s`<p class="note">
        Only its ${e} is shown: ${(0,c.zD)(t)} bytes are left out here, and in the loop's folder.
      </p>`}const le=[[/^(?:diff |index |--- |\+\+\+ |\[cut: )/u,"head"],[/^@@/u,"at"],[/^\+/u,"add"],[/^-/u,"cut"]];function de(t,e){if(e===null||e.text==="")return null;const n=e.text.split(`
`).map(r=>{const a=le.find(([i])=>i.test(r))?.[1];return[a===void 0?r:s`<span class="${a}">${r}</span>`,`
`]}),o=s`<pre class="diff" tabindex="0" role="region" aria-label="Changes, iteration ${t}">${n}</pre>`;return O(x(t,"changes"),"Changes",s`${nt(e)}${o}`)}const ot=String.raw`"use strict";
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
`,rt=`
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
`,ce=1e7,st=2e3,ue=500;async function me(t,e=ce){const{view:n,withTexts:o}=t,r=await Rt(t.events),a=r.iterations.slice(-st),l={top:Jt(n,r,a),charts:Nt(a),agent:pe(t,r),stories:he(n)},m=a.map(g=>et(g,at)),d=it(ct(n,l,[lt(r),...m],o)),u=await fe(t,a,e-d),h=a.map(g=>et(g,u.get(g.iteration)??at)),b=r.iterations.length-a.length,p=b>0&&s`<p>
      ${(0,c.hS)(b,"earlier iteration")} are not on this page: it shows the last ${(0,c.zD)(st)}.
    </p>`;return ct(n,l,[s`${p}`,lt(r),...h],o)}const at=s`<p class="note">
  What this iteration wrote is left out, because the page would be too long. It is in the loop's folder.
</p>`;async function fe({textsOf:t,withTexts:e},n,o){const r=new Map;let a=o;for(const i of n.toReversed()){const l=re(i,await t(i.iteration),e);if(a-=it(l.text),a<0)break;r.set(i.iteration,l)}return r}function it(t){return Buffer.byteLength(t)}function lt({before:t}){const e=t.slice(0,100);return e.length===0?s``:s`<details class="iteration searched">
    <summary>Before the first iteration</summary>
    <div id="i0" class="folded">
      <ul>
        ${e.map(({text:n})=>s`<li>${(0,$.Jj)(n,1e3)}</li>`)}
      </ul>
    </div>
  </details>`}function pe({view:t,withTexts:e},n){const{state:o}=t,{failing:r}=(0,D.oX)(o),a=o.failing?.failing??[],i=[e?`Task:
${o.prompt.trim()}`:"",`State:
${(0,R.WJ)(t).text}`,a.length===0?"":`Failing tests:
${a.map(l=>`- ${(0,$.TN)(l)}`).join(`
`)}`,r===null?"":`Last output of ${(0,$.TN)((0,M.v8)(r))}:
${r.tail.trim()||(0,j.UN)(r)}`,`Decision:
${[...n.ending.map(({text:l})=>l),`next: ${(0,k.sk)(t)}`].join(`
`)}`];return F("for-an-agent",i.filter(l=>l!=="").join(`

`),"for an agent")}function he({state:t,prd:e}){const n=(0,y.u2)(t,e);if(n===null)return null;const o=(0,y.gR)(n),{rows:r,rest:a}=(0,y.NB)(n.stories,ue);return s`<p>${(0,y.Wl)(n)}.${o!==void 0&&` At work on ${o}.`}</p>
    <ul>
      ${r.map(i=>s`<li class="searched" id="${i.id}">
            <span aria-hidden="true">${y.t5[i.status]}</span> <strong>${i.id}</strong> ${(0,y._Q)(i)}:
            ${(0,y.sV)(i)}${i.commit!==null&&s`, <code>${i.commit.slice(0,12)}</code>`}
          </li>`)}
    </ul>
    ${a!==""&&s`<p>${a}.</p>`}`}function dt(t){return`'sha256-${(0,mt.createHash)("sha256").update(t).digest("base64")}'`}function ge(){return["default-src 'none'",`script-src ${dt(ot)}`,`style-src ${dt(rt)}`,"img-src data:","base-uri 'none'","form-action 'none'"].join("; ")}const $e=s`<p class="note">
  Prompts, messages of the agent and diffs are left out of this page, because its readers may not be those who may see
  them.
</p>`;function ct(t,e,n,o){const{loop_id:r,generation:a,updated_at:i,iteration:l}=t.state,m=l===0?"None has begun.":"The events of this loop are gone, so they are not known.",d=n.every(({text:u})=>u==="")?s`<p>${m}</p>`:s`${n}`;return s`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        ${new w(`<meta http-equiv="Content-Security-Policy" content="${ge()}">`)}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>Loop ${r}</title>
        ${new w(`<style>${rt}</style>`)}
      </head>
      <body>
        <a class="skip" href="#iterations">To the iterations</a>
        <main>${e.top} ${o?null:$e} ${be(e,d)}</main>
        <footer>
          <p>
            Loop ${r}, generation ${a}, as of ${i}. Made by smithers; nothing on this page is loaded or sent.
          </p>
        </footer>
        ${new w(`<script>${ot}<\/script>`)}
      </body>
    </html> `.text}function be({charts:t,agent:e,stories:n},o){const r=(i,l,m)=>s`<section aria-labelledby="${i}">
      <h2 id="${i}">${l}</h2>
      ${m}
    </section>`,a=s`<details>
    <summary>Task, failing tests, last output and decision, as one text</summary>
    ${e}
  </details>`;return s`${r("agent","Copy for an agent",a)} ${r("charts","Charts",t)}
    <form id="search" role="search" hidden>
      <label for="search-for">Search iterations${n!==null&&" and stories"}</label>
      <input id="search-for" type="search" autocomplete="off" />
      <p id="search-found" role="status" class="dim"></p>
    </form>
    ${r("iterations","Iterations",o)}
    ${n!==null&&r("stories","Stories",n)}`}})};export{ye as id,we as ids,xe as modules};
//# sourceMappingURL=report-page.js.map
