/** `keep-deadline.js`: runs one hook under Node. Its arguments are the hook order that `writeHookOrder` writes. */
import process from 'node:process';
import { readHookOrder } from '../../lifecycles/container/hook-runs/hook-order.ts';
import { keepDeadline } from '../../lifecycles/container/shim/keep-deadline.ts';
import { host } from '../../platform/node-shim-host.ts';

async function main(): Promise<void> {
  const order = readHookOrder(host.args);
  if (order !== null) await keepDeadline(host, order);
  process.exit(order === null ? 1 : 0);
}

void main();
