/** What makes pods: the groups apps and batch. */
import type { KindSpec } from '../kind-spec.ts';
import { cronJob } from './cron-job.ts';
import { controllerRevision, daemonSet, statefulSet } from './inert-sets.ts';
import { deployment } from './deployment.ts';
import { job } from './job.ts';
import { podTemplate } from './pod-template.ts';
import { replicaSet } from './replica-set.ts';

export const workloadKinds: readonly KindSpec[] = [
  deployment,
  replicaSet,
  statefulSet,
  daemonSet,
  controllerRevision,
  job,
  cronJob,
  podTemplate,
];
