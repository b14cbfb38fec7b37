/**
 * The table of the lifecycles: which parts each of them adds to shared commands. A command loads a part when it needs
 * it. To delete a lifecycle, delete its directories and its lines here and in the files `lifecycle-*.ts` next to this
 * one (`test/e2e/delete-lifecycle.test.ts`).
 */
import type { FileConversion } from './convert/run-convert.ts';
import type {
  CompletionPart,
  DemoActPart,
  DoctorPart,
  LintFilesPart,
  StatusPart,
  StopPart,
  TimelineSourcePart,
  UninstallPart,
  WrittenPlacesPart,
} from './lifecycle-parts.ts';

/** One loader per lifecycle, keyed by the lifecycle's name. */
export type Parts<T> = Readonly<Record<string, () => Promise<T>>>;

export function loadParts<T>(parts: Parts<T>): Promise<readonly T[]> {
  return Promise.all(Object.values(parts).map((load) => load()));
}

/** The checks of `lifehook lint` in files other than manifests. */
export const lintFiles: Parts<LintFilesPart> = {
  container: () => import('./container/lint.ts'),
  pipeline: () => import('./pipeline/run-lint.ts'),
};

/** The conversions of `lifehook convert`, one file at a time. */
export const fileConversions: Parts<FileConversion> = {
  container: () => import('./container/convert.ts'),
  pipeline: () => import('./pipeline/file-conversion.ts'),
};

/** The directories that `lifehook doctor` checks. */
export const writtenPlaces: Parts<WrittenPlacesPart> = {
  container: () => import('./container/life-options.ts'),
  pipeline: () => import('./pipeline/written-places.ts'),
};

/** The checks of `lifehook doctor` in a cluster. */
export const doctorParts: Parts<DoctorPart> = {
  snapshot: () => import('./snapshot/doctor/doctor-part.ts'),
  rollout: () => import('./rollout/doctor/doctor-part.ts'),
};

/** The objects that `lifehook uninstall` has to end, and how it ends them. */
export const uninstallParts: Parts<UninstallPart> = {
  snapshot: () => import('./snapshot/uninstall-part.ts'),
  rollout: () => import('./rollout/uninstall-part.ts'),
};

/** The sources that `lifehook ui` shows besides a cluster; null: this machine has no such source. */
export const timelineSources: Parts<TimelineSourcePart> = {
  pipeline: () => import('./pipeline/timeline-source.ts'),
  container: () => import('./container/timeline-source.ts'),
};

/** The actions of `lifehook down` before it stops the local cluster. */
export const stopParts: Parts<StopPart> = {
  snapshot: () => import('./snapshot/thaw-first.ts'),
};

/** The acts of `lifehook demo`, in their order. */
export const demoActs: Parts<DemoActPart> = {
  rollout: () => import('./rollout/demo-act.ts'),
  snapshot: () => import('./snapshot/demo-act.ts'),
  pod: () => import('./pod/demo-act.ts'),
  container: () => import('./container/demo-act.ts'),
};

/** The values that a shell completes, by kind; the values of several lifecycles are offered together. */
export const completions: Parts<CompletionPart> = {
  pipeline: () => import('./pipeline/completion.ts'),
  rollout: () => import('./rollout/completion.ts'),
  snapshot: () => import('./snapshot/completion.ts'),
};

/** The command behind `lifehook status OBJECT` for the objects of a lifecycle; resolves with the exit code. */
export const statuses: Parts<StatusPart> = {
  rollout: () => import('./rollout/status.ts'),
  snapshot: () => import('./snapshot/status.ts'),
};
