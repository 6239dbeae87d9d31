import { spawnSync } from 'node:child_process';

/**
 * Gives a new network namespace a loopback and one more interface, without which Chromium believes
 * that it is offline.
 */
const SET_UP = `
  ip link set lo up &&
  ip link add net0 type veth peer name net1 &&
  ip addr add 192.0.2.1/24 dev net0 &&
  ip link set net0 up && ip link set net1 up &&
  exec "$@"`;

/**
 * The command, changed so that it runs in its own network namespace where the system allows that.
 * Chromium ends all its requests with ERR_NETWORK_CHANGED when the machine gets or loses an
 * address, as it does with each container and pod.
 */
export function inOwnNetwork(command: string[]): string[] {
  const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  const wrapped = (inner: string[]) => ['unshare', ...asRoot, '--net', 'sh', '-c', SET_UP, 'sh', ...inner];
  const [program = '', ...args] = wrapped(['true']);
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0 ? wrapped(command) : command;
}
