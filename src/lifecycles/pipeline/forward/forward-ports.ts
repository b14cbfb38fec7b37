/**
 * Opens the ports of `portForward` on this machine: each connection is forwarded to a pod that is ready then, so
 * replacing a pod affects only the connections to that pod. The hooks around this are defined in lifehook.yaml: `after`
 * hooks run when all ports are open.
 */
import { errorText } from '../../../platform/error-text.ts';
import { LinkedSignal } from '../../../platform/linked-signal.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { TcpListener } from '../../../platform/tcp-listener.ts';
import { expandGoTemplate } from '../build/go-template.ts';
import type { PortForwardConfig } from '../config/model.ts';
import { deployedContainers } from '../deploy/current-pods.ts';
import { requireTarget } from '../deploy/run-deploy.ts';
import { runStage } from '../hooks/run-stage.ts';
import type { Deployed, KubeTarget, PhaseResult, PipelineSession } from '../session.ts';
import { type CarryContext, carryConnection } from './carry-connection.ts';
import { FORWARD_KINDS, forwardKind, type ForwardRule, titleOf } from './find-pod.ts';

export interface ForwardedPort {
  /** The resource, such as "service shop/web". */
  readonly resource: string;
  readonly port: number | string;
  readonly address: string;
  readonly localPort: number;
}

/** The forwarded ports. Disposing closes the ports, and resets open connections. */
export interface ForwardedPorts extends AsyncDisposable {
  readonly ports: readonly ForwardedPort[];
}

/**
 * Opens the ports of `portForward`. Without entries nothing happens, and no hook runs. A port that cannot be forwarded
 * causes a warning.
 */
export async function forwardPorts(
  session: PipelineSession,
  deployed: Deployed,
): Promise<PhaseResult<ForwardedPorts>> {
  const entries = session.config.modules.flatMap(({ portForward }) => portForward);
  const open = new OpenPorts(session);
  if (entries.length === 0) return { outcome: 'Succeeded', value: open };
  const target = requireTarget(session);
  const { namespaces } = deployed;
  const run = runStage<ForwardedPorts>(session, {
    hooks: session.config.ownHooks.portForward,
    facts: () => ({
      phase: { kind: 'other' },
      namespaces,
      containers: deployedContainers(session, deployed),
    }),
    work: async () => {
      for (const entry of entries) await open.add(entry, { target, deployed });
      return { outcome: 'Succeeded', value: open };
    },
  });
  return closedUnlessOpen(run, open);
}

/** Closes the ports if the stage has failed or rejects. */
async function closedUnlessOpen(
  run: Promise<PhaseResult<ForwardedPorts>>,
  open: AsyncDisposable,
): Promise<PhaseResult<ForwardedPorts>> {
  let isOpen = false;
  try {
    const result = await run;
    isOpen = result.outcome === 'Succeeded';
    return result;
  } finally {
    if (!isOpen) await open[Symbol.asyncDispose]();
  }
}

interface Place {
  readonly target: KubeTarget;
  readonly deployed: Deployed;
}

class OpenPorts implements ForwardedPorts {
  readonly ports: ForwardedPort[] = [];
  readonly #session: PipelineSession;
  readonly #listeners: TcpListener[] = [];
  readonly #stop: LinkedSignal;
  /** One AbortController per connection: Node warns if one signal has so many listeners. */
  readonly #carried = new Set<AbortController>();

  constructor(session: PipelineSession) {
    this.#session = session;
    this.#stop = new LinkedSignal(session.hooks.signal);
    this.#stop.addEventListener('abort', () => {
      for (const own of this.#carried) own.abort();
    });
  }

  async add(entry: PortForwardConfig, place: Place): Promise<void> {
    const rule = await ruleOf(entry, place, this.#session);
    if (typeof rule === 'string') {
      this.#warn(rule);
      return;
    }
    const context = { target: place.target, rule, emit: this.#reporter(rule) };
    const { address } = entry;
    try {
      const listener = await this.#listen(entry, context);
      this.#listeners.push(listener);
      const { port } = rule;
      this.ports.push({ resource: titleOf(rule), port, address, localPort: listener.port });
      const { localPort: wanted = 0 } = entry;
      const why =
        wanted === 0 || wanted === listener.port ? '' : `, since ${wanted} is not available`;
      const message = `${address}:${listener.port} forwards to port ${port} of ${titleOf(rule)}${why}`;
      const subject = titleOf(rule);
      const of = {
        kind: rule.kind.kind.toLowerCase(),
        namespace: rule.namespace,
        name: rule.name,
        port,
      };
      this.#session.hooks.emit({
        type: 'PhaseEvent',
        phase: 'portForward',
        status: 'Succeeded',
        subject,
        message,
        forwarded: { ...of, address, localPort: listener.port },
      });
    } catch (error) {
      const why = errorText(error);
      this.#warn(`No local port could be opened for ${titleOf(rule)} on ${address}: ${why}.`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#stop.release();
    const listeners = this.#listeners.splice(0);
    await Promise.all(listeners.map((listener) => listener.close()));
    if (listeners.length === 0) return;
    const localPorts = listeners.map(({ port }) => port);
    this.#session.hooks.emit({ type: 'PortsClosed', localPorts });
  }

  /**
   * Listens on the configured port, or else the resource's port. If the port is taken or reserved for root, listens on
   * any free one, as in skaffold.
   */
  async #listen(
    { address, localPort, port }: PortForwardConfig,
    context: Omit<CarryContext, 'own'>,
  ): Promise<TcpListener> {
    const wanted = localPort ?? (typeof port === 'number' ? port : ANY);
    const on = (at: number): Promise<TcpListener> =>
      this.#session.listening.listen({ host: address, port: at }, (accepted) => {
        const own = new AbortController();
        this.#carried.add(own);
        own.signal.addEventListener('abort', () => this.#carried.delete(own));
        void carryConnection(accepted, { ...context, own });
      });
    try {
      return await on(wanted);
    } catch (error) {
      if (!TAKEN.has(codeOf(error) ?? '')) throw error;
      return on(ANY);
    }
  }

  /**
   * Reports why connections fail. A repeated error is reported only once; after a connection has succeeded, it is
   * reported again.
   */
  #reporter(rule: ForwardRule): CarryContext['emit'] {
    let reported: string | null = null;
    return (trouble) => {
      if (trouble !== null && trouble !== reported) {
        this.#warn(`A connection to ${titleOf(rule)} could not be forwarded: ${trouble}.`);
      }
      reported = trouble;
    };
  }

  #warn(message: string): void {
    this.#session.hooks.emit({ type: 'Warning', code: 'LHL415', message });
  }
}

const ANY = 0;
const TAKEN = new Set(['EADDRINUSE', 'EACCES']);

/**
 * The rule of an entry, or an error message. An entry without a namespace gets that of the deployed object with its
 * name or, if there is none, that of the command line or the context.
 */
async function ruleOf(
  entry: PortForwardConfig,
  { target, deployed }: Place,
  session: PipelineSession,
): Promise<ForwardRule | string> {
  const { resourceType, resourceName, port } = entry;
  const kind = forwardKind(resourceType);
  if (kind === null) {
    return `portForward names the resourceType "${resourceType}", but only these kinds have ports: ${FORWARD_KINDS}.`;
  }
  const { callerEnv } = session.hooks;
  const expand = (text: string): ReturnType<typeof expandGoTemplate> =>
    expandGoTemplate(text, { data: callerEnv, command: () => Promise.resolve(null) });
  const name = await expand(resourceName);
  if (name.kind === 'wrong') return `portForward.resourceName cannot be computed: ${name.reason}.`;
  const own = await expand(entry.namespace ?? '');
  if (own.kind === 'wrong') return `portForward.namespace cannot be computed: ${own.reason}.`;
  const found = deployed.objects.find(
    (one) => one.kind === kind.kind && one.metadata?.name === name.text,
  );
  const usual = found?.metadata?.namespace ?? session.options.namespace ?? target.namespace;
  return { kind, name: name.text, namespace: own.text === '' ? usual : own.text, port };
}
