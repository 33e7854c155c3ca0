/** How commands say that Codex's sandbox refused them a socket, a name or a route (C26). */
const DENIALS =
  /\b(?:connect|socket|bind|listen|net|getaddrinfo|sendto)\b[^\n]{0,80}\bEPERM\b|\bEPERM\b[^\n]{0,80}\b(?:connect|socket|bind|listen|net)\b|(?:socket|connect|bind|ping|send|resolv|network)[^\n]{0,120}Operation not permitted|Operation not permitted[^\n]{0,120}(?:socket|connect|bind|network)|Could not resolve (?:host|proxy)|Temporary failure in name resolution|Name or service not known|\bEAI_AGAIN\b|\bENETUNREACH\b|Network is unreachable|dial (?:tcp|udp)[^\n]{0,160}(?:operation not permitted|no such host)|dns error|failed to lookup address/iu;

/** Whether the output of a command looks as if the closed network stopped it. */
export function looksLikeNetworkDenial(output: string): boolean {
  return DENIALS.test(output);
}

export const NETWORK_CURE =
  "A command seems to need the network, which is closed in the agent's sandbox. If the task needs it, use --network on (with --sandbox workspace-write).";
