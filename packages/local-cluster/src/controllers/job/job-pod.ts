/** A job's pod: of its template, tracked, and with its index where the job has indexes. Pure. */
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { Container, Pod, PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import { controllerReference } from '../workload/child-index.ts';
import { identityOf, templateOf } from '../workload/parts.ts';
import { podFromTemplate } from '../workload/pod-from-template.ts';
import { FAILURES } from './index-failures.ts';
import { INDEX } from './indexes.ts';
import { TRACKING } from './tally.ts';

const INDEX_VARIABLE = 'JOB_COMPLETION_INDEX';

/** `failures`: of the index before this pod; null: the job does not count them by index. */
export interface PodPlace {
  readonly index: number | null;
  readonly failures: number | null;
}

export function jobPod(job: Job, place: PodPlace): Pod {
  const { index } = place;
  const { namespace, name } = identityOf(job);
  const base = templateOf(job);
  const template = tracked(index === null ? base : indexed(base, name, { ...place, index }));
  return podFromTemplate({
    namespace,
    generateName: index === null ? `${name}-` : `${name}-${index}-`,
    owner: controllerReference({ apiVersion: 'batch/v1', kind: 'Job' }, job),
    template,
  });
}

function tracked(template: PodTemplateSpec): PodTemplateSpec {
  const others = (template.metadata?.finalizers ?? []).filter((name) => name !== TRACKING);
  return { ...template, metadata: { ...template.metadata, finalizers: [...others, TRACKING] } };
}

function indexed(
  template: PodTemplateSpec,
  name: string,
  { index, failures }: { readonly index: number; readonly failures: number | null },
): PodTemplateSpec {
  const { metadata, spec = { containers: [] } } = template;
  const mark = { [INDEX]: String(index) };
  const before = failures === null ? {} : { [FAILURES]: String(failures) };
  const { initContainers } = spec;
  return {
    metadata: {
      ...metadata,
      labels: { ...metadata?.labels, ...mark },
      annotations: { ...metadata?.annotations, ...mark, ...before },
    },
    spec: {
      ...spec,
      hostname: `${name}-${index}`,
      containers: spec.containers.map(withIndex),
      ...(initContainers === undefined ? {} : { initContainers: initContainers.map(withIndex) }),
    },
  };
}

function withIndex(container: Container): Container {
  const { env = [] } = container;
  if (env.some(({ name }) => name === INDEX_VARIABLE)) return container;
  const valueFrom = { fieldRef: { fieldPath: `metadata.labels['${INDEX}']` } };
  return { ...container, env: [...env, { name: INDEX_VARIABLE, valueFrom }] };
}
