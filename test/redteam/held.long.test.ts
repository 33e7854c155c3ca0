import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ci, startCi } from "../support/ci/ci.ts";
import type { Job } from "../support/runner/runner.ts";
import { everythingOf } from "./break-in.ts";
import { canary, sightings } from "./canaries.ts";

/** What the workflow gives to the agent, and what the agent then does with it: everything that it can. */
const AGENT = `
secret="$DEPLOY_TOKEN"
encoded=$(printf %s "$secret" | base64 -w0)
hidden=$(printf %s "$secret" | rev)
echo "said: $secret $encoded"; echo "complained: $secret" >&2
printf '%s' "split: \${secret%????????}"; sleep 0.05; echo "\${secret#\${secret%????????}}"
printf '{"quoted":"%s"}\\n' "$secret" > secret.json
echo "$encoded" > encoded.txt
echo "harmless, and turned round: $hidden" > harmless.txt
if [ -e committed ]; then exit 0; fi
touch committed
git add -A; git -c user.name=a -c user.email=a@b -c core.hooksPath=/dev/null commit -qm "the token is $secret"
`;

describe("an agent that was given a secret by pass-env", () => {
  const secret = canary("passed");
  let ci: Ci;
  let job: Job;
  beforeAll(async () => {
    ci = await startCi({ files: { "README.md": "hello\n", "agent.sh": AGENT } });
    await using machine = await ci.machine();
    job = await machine.run({
      inputs: {
        ...{ prompt: "Deploy it.", provider: "command", "provider-command": '["sh","agent.sh"]', "full-auto": "on" },
        ...{ "success-sh": "cat secret.json; sh agent.sh; false", "pass-env": "DEPLOY_TOKEN", "check-first": "off" },
        ...{ "check-sandbox": "auto", "max-iterations": "2", "job-timeout-minutes": "60", commit: "iteration" },
      },
      env: { DEPLOY_TOKEN: secret },
    });
  }, 120_000);
  afterAll(() => ci[Symbol.asyncDispose]());

  test("says it everywhere, and it leaves in no spelling that we know [T2, T16]", async () => {
    expect(job.outputs).toMatchObject({ status: "stopped_max_iterations", iterations: "2" });
    expect(job.main.log).toContain("said: ***");
    const left = await everythingOf(ci, job);
    expect(left.length).toBeGreaterThan(10);
    expect(sightings([secret], left)).toEqual([]);
  });

  test("has its work kept from the branch, and people are told where the secret is [T16]", async () => {
    expect(await ci.remote.git("for-each-ref", "refs/heads/smithers")).toBe("");
    const told = /Nothing was pushed to .*: line 1 of encoded\.txt and 2 more would show a secret to everybody/u;
    expect(job.main.log).toMatch(told);
  });

  test("can encode it as nobody knows, which SECURITY.md says [T16]", async () => {
    const turned = secret.split("").toReversed().join("");
    const left = await everythingOf(ci, job);
    expect(left.some(({ bytes }) => bytes.includes(turned))).toBe(true);
  });
});
