import { OrderClients } from '../order-clients.ts';
import { eventually, run, inSeconds, type Stage } from '../stage.ts';
import { findService, type Shop } from '../shop.ts';

const FIRST_ORDERS = 20;

/** Version 1 is built by the folder builder and deployed; then its customers come, and stay. */
export async function deployShop(stage: Stage): Promise<Shop> {
  const { say, world } = stage;
  say.act('Pipeline: an order service is built and deployed, with hooks in between');
  say.command('cd orders');
  const { output, tookMs } = await run(stage, ['pipeline', 'run'], { cwd: world.orders });
  say.fact(`built from a folder and deployed, after ${inSeconds(tookMs)}`);
  say.claim(
    'the hook before the build named the image, the one after it saw it',
    output.includes('[build/orders/after/0] orders:v1 is there'),
  );
  say.claim(
    'the hook before the deployment had what an earlier one told it',
    output.includes('[deploy/kubectl/before/0] v1 goes out'),
  );
  const greetings = output.match(/^\[deploy\/kubectl\/after\/0 .*\] \S+ serves v1$/gm) ?? [];
  say.claim('the hook after it ran in both containers', greetings.length === 2);
  const url = await findService(stage, 'orders', 'v1');
  const clients = new OrderClients(url);
  const what = 'the first customers are served';
  await eventually(stage, { what, seconds: 10 }, async () =>
    clients.acknowledged.length >= FIRST_ORDERS ? true : null,
  );
  say.claim('customers order now, from here on without a rest', clients.failures.length === 0);
  return { url, clients };
}
