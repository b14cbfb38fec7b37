/** Selects the pods of the deployment, and names the sources of their log lines. Pure. */
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Container, Pod } from 'kubernetes-types/core/v1.js';

import type { KubeObject } from '../../../kube/object.ts';
import { matchesLabels } from '../../../kube/label-selector.ts';
import { parseImageName } from '../hooks/image-name.ts';
import type { DeployConfig } from '../config/model.ts';

/**
 * Selects the pods whose logs are printed. `images`: names without tag of the images that the pipeline builds. Pods
 * with none of these images are not selected, as in skaffold. If the pipeline builds no image, all pods of its
 * deployment are selected.
 *
 * Worked example: the Deployments web, with the image shop/web, and redis were deployed, and shop/web was built. The
 * pods that web's selector selects are selected; those of redis are not.
 */
export function deployedPods(
  objects: readonly KubeObject[],
  images: ReadonlySet<string>,
): (pod: Pod) => boolean {
  const rules = objects.map((object) => ruleOf(object));
  return (pod) => rules.some((isOf) => isOf(pod)) && runsOneOf(pod, images);
}

type Rule = (pod: Pod) => boolean;

function ruleOf(object: KubeObject): Rule {
  const { kind = '', metadata: { namespace, name = '' } = {} } = object;
  const isThere = (pod: Pod): boolean => pod.metadata?.namespace === namespace;
  if (kind === 'Pod') return (pod) => isThere(pod) && pod.metadata?.name === name;
  if (kind === 'Job') return (pod) => isThere(pod) && ownerJobs(pod).includes(name);
  if (kind === 'CronJob') {
    return (pod) => isThere(pod) && ownerJobs(pod).some((job) => isOfCron(job, name));
  }
  if (!SELECTING.has(kind)) return () => false;
  const { selector } = (object as Deployment).spec ?? {};
  return (pod) => isThere(pod) && matchesLabels(selector, pod.metadata?.labels ?? {});
}

const SELECTING = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet']);

function ownerJobs({ metadata }: Pod): readonly string[] {
  const owners = metadata?.ownerReferences ?? [];
  return owners.filter(({ kind }) => kind === 'Job').map(({ name }) => name);
}

/** A CronJob names its Jobs by its own name and a number. */
function isOfCron(job: string, cron: string): boolean {
  const prefix = `${cron}-`;
  return job.startsWith(prefix) && /^\d+$/.test(job.slice(prefix.length));
}

function runsOneOf({ spec }: Pod, images: ReadonlySet<string>): boolean {
  if (images.size === 0) return true;
  const containers: readonly Container[] = [
    ...(spec?.initContainers ?? []),
    ...(spec?.containers ?? []),
  ];
  return containers.some(({ image = '' }) => images.has(parseImageName(image).repo));
}

/**
 * The source of a log line, by deploy.logs.prefix; '' means no source. "auto" includes the pod's name unless it equals
 * the container's.
 */
export function logSource(
  prefix: DeployConfig['logsPrefix'],
  { pod, container }: { readonly pod: string; readonly container: string },
): string {
  switch (prefix) {
    case 'container':
      return container;
    case 'podAndContainer':
      return `${pod}/${container}`;
    case 'auto':
      return pod === container ? container : `${pod}/${container}`;
    case 'none':
      return '';
    default:
      return prefix satisfies never;
  }
}
