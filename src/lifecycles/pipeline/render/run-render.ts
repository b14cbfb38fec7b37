/**
 * Renders manifests from their sources, sets built images and labels, and runs the hooks. Modules are rendered one
 * after another, in order. No output of a hook gets into the manifests, except the stdout of a hook with `withChange`.
 */
import type { Json, KubeObject } from '../../../kube/object.ts';
import { yamlDocuments } from '../../../model/yaml-text.ts';
import type { ModuleConfig } from '../config/model.ts';
import { reportRejection } from '../events/report-rejection.ts';
import { runStage, type Stage, type StageFacts } from '../hooks/run-stage.ts';
import type {
  BuiltArtifact,
  PhaseResult,
  PipelineSession,
  Rendered,
  RenderedManifests,
} from '../session.ts';
import { parseManifests } from './parse-manifests.ts';
import { putLabels } from './put-labels.ts';
import { failed, readSources } from './read-sources.ts';
import { substituteImages } from './substitute-images.ts';

export async function runRender(
  session: PipelineSession,
  built: readonly BuiltArtifact[],
): Promise<PhaseResult<Rendered>> {
  const images = new Images(built);
  const manifests: RenderedManifests[] = [];
  for (const module of session.config.modules) {
    const rendered = await renderModule(session, module, { images, built });
    if (rendered.outcome !== 'Succeeded') return rendered;
    manifests.push(rendered.value);
  }
  images.warn(session, manifests);
  return { outcome: 'Succeeded', value: { manifests } };
}

async function renderModule(
  session: PipelineSession,
  module: ModuleConfig,
  { images, built }: { readonly images: Images; readonly built: readonly BuiltArtifact[] },
): Promise<PhaseResult<RenderedManifests>> {
  const { emit, platform } = { emit: session.hooks.emit, platform: session.platform };
  const startedMs = platform.clock.monotonicMs();
  const event = {
    type: 'PhaseEvent',
    phase: 'render',
    subject: module.name ?? module.file,
  } as const;
  emit({ ...event, status: 'InProgress' });
  const finish = async (objects: readonly KubeObject[]): Promise<RenderedManifests> => {
    const finished = objects.map((one) =>
      putLabels(images.putInto(one), session.runId, session.options.labels),
    );
    return { module, objects: finished, text: yamlDocuments(finished) };
  };
  const stage: Stage<RenderedManifests> = {
    hooks: module.manifests.hooks,
    facts: (value) => ({
      phase: { kind: 'other' },
      ...renderNamespaces(session),
      ...(value === null ? {} : { manifests: value.text }),
    }),
    work: async () => {
      const read = await readSources(session, module, built);
      return read.outcome === 'Succeeded'
        ? { outcome: 'Succeeded', value: await finish(read.value) }
        : read;
    },
    take: async (value, text) => {
      if (text === value.text) return { outcome: 'Succeeded', value };
      const { objects, problems } = parseManifests('(manifests of the render hooks)', text);
      // Objects that hooks have added get images and labels too, so that we can find every deployed object again.
      return problems.length > 0
        ? failed(problems)
        : { outcome: 'Succeeded', value: await finish(objects) };
    },
  };
  const result = await reportRejection(emit, event, () => runStage(session, stage));
  const durationMs = platform.clock.monotonicMs() - startedMs;
  if (result.outcome === 'Succeeded') emit({ ...event, status: 'Succeeded', durationMs });
  else emit({ ...event, status: 'Failed', message: result.message, durationMs });
  return result;
}

/** The namespace of manifests that name none, if it is known. */
export function renderNamespaces({
  options,
  target,
}: PipelineSession): Pick<StageFacts, 'namespaces'> {
  const namespace = options.namespace ?? target?.namespace;
  return namespace === undefined ? {} : { namespaces: [namespace] };
}

/** Knows the built images, and which of them the manifests use. */
class Images {
  readonly #references: ReadonlyMap<string, string>;
  readonly #used = new Set<string>();
  readonly #pinned = new Set<string>();

  constructor(built: readonly BuiltArtifact[]) {
    this.#references = new Map(built.map(({ image, reference }) => [image, reference]));
  }

  putInto(object: KubeObject): KubeObject {
    const { value, used, pinned } = substituteImages(object as Json, this.#references);
    for (const image of used) this.#used.add(image);
    for (const image of pinned) this.#pinned.add(image);
    return value as KubeObject;
  }

  warn({ hooks: { emit } }: PipelineSession, manifests: readonly RenderedManifests[]): void {
    const warning = (message: string): void => {
      emit({ type: 'Warning', code: 'LHL405', message });
    };
    for (const image of this.#pinned) {
      warning(
        `${image} was built, but a manifest names it by its digest, so the manifest stays unchanged.`,
      );
    }
    if (manifests.every(({ objects }) => objects.length === 0)) return;
    for (const image of this.#references.keys()) {
      if (this.#used.has(image)) continue;
      warning(`${image} was built, but no container in the manifests uses it.`);
    }
  }
}
