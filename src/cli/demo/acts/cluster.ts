import { run, inSeconds, type Stage, ask } from '../stage.ts';

/** In a big cluster it takes a while until everybody has heard that a pod is leaving; here it is to take that long. */
const ENDPOINT_DELAY = '500ms';

/** The local cluster, with Lifehook's own controllers, in the demonstration's own folder. */
export async function startCluster(stage: Stage): Promise<void> {
  const { say, world } = stage;
  say.act('A Kubernetes on this machine: no root, no images, no kubectl');
  const { tookMs } = await run(stage, ['up', '--endpoint-delay', ENDPOINT_DELAY]);
  const { stdout } = await ask(stage, ['status']);
  const server = /^ *API server +(\S+)$/m.exec(stdout)?.[1];
  say.claim(
    `its API server and Lifehook's controllers are up, after ${inSeconds(tookMs)}`,
    server !== undefined,
  );
  const timeline = /^ *timeline +(http\S+)$/m.exec(stdout)?.[1];
  if (timeline !== undefined) {
    say.fact('watch its hooks, in a browser:');
    say.fact(timeline);
  }
  say.fact('look around meanwhile, with kubectl too:');
  say.fact(`export KUBECONFIG=${world.kubeconfig}`);
}
