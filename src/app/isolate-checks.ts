import { agentRecords } from "../agents/registry.ts";
import type { Config } from "../config/config.ts";
import { prepareIsolation } from "../os/isolation/isolation.ts";
import { marksOf } from "../store/place.ts";
import { checkEnvironment } from "./check-environment.ts";
import { isolate, type Isolated, type Isolating, isolationAround, NOTHING_ISOLATED, OPEN } from "./isolate.ts";

/**
 * Isolates a loop's checks. The agent's own sandbox (`check-sandbox: strict`) isolates in its own way, where it is one.
 *
 * @param notice tells a person
 */
export function isolateChecks(isolating: Isolating, notice: (text: string) => void): Isolated {
  const off = whyOff(isolating.config);
  if (off === "") return NOTHING_ISOLATED;
  return isolate(
    {
      ...{ name: "checks", means: MEANS, off, opens: "check-access", prepare: () => prepare(isolating) },
      less: ({ lacks }) => (lacks === "" ? undefined : { why: lacks, next: LACKS_CURE }),
    },
    isolating,
    notice,
  );
}

/** Why the settings leave checks as they are; "": another sandbox is asked for; undefined: they do not. */
function whyOff({ checkSandbox, sandbox }: Config): string | undefined {
  if (checkSandbox === "auto") return undefined;
  if (checkSandbox === "off") return "check-sandbox is off";
  return sandbox === "danger-full-access"
    ? "check-sandbox strict is the agent's own, and sandbox danger-full-access ends it"
    : "";
}

const LACKS_CURE = "util-linux (unshare, mount) and a folder /var/tmp on a disk give them all of it.";
const MEANS = `they run as you, and what the agent wrote into them ${OPEN}`;

async function prepare(isolating: Isolating) {
  const { place, config, env } = isolating;
  const around = await isolationAround(isolating);
  return prepareIsolation({
    ...around,
    hidden: [...around.hidden, ...agentRecords(env, place.root)],
    env: checkEnvironment(env, config).env,
    mark: marksOf(place).checks,
    access: config.checkAccess,
    freshSettings: true,
  });
}
