/** Generates the scenarios: every case for every resource. */
import { applyCase } from './cases/apply.ts';
import { createCase } from './cases/create.ts';
import { collectionCase, deleteCase } from './cases/delete.ts';
import { patchCase } from './cases/patch.ts';
import { readCase } from './cases/read.ts';
import { routesCase } from './cases/routes.ts';
import { scaleCase, statusCase } from './cases/status.ts';
import { updateCase } from './cases/update.ts';
import { watchCase } from './cases/watch.ts';
import { apiVersionOf, type Sample, Subject } from './sample.ts';
import type { Scenario } from './scenario.ts';

type Case = (subject: Subject) => Promise<void>;

const CASES: Readonly<Record<string, Case>> = {
  create: createCase,
  read: readCase,
  watch: watchCase,
  update: updateCase,
  patch: patchCase,
  apply: applyCase,
  status: statusCase,
  scale: scaleCase,
  delete: deleteCase,
  collection: collectionCase,
  routes: routesCase,
};

export function scenariosOf(sample: Sample): readonly Scenario[] {
  return Object.entries(CASES)
    .filter(([name]) => applies(name, sample))
    .map(([name, play]) => ({
      name: `${resourceOf(sample)} ${name}`,
      run: (api) => play(new Subject(api, sample)),
    }));
}

/** "apps/v1/deployments"; the core group appears as "core": "core/v1/pods". */
export function resourceOf(sample: Sample): string {
  const version = apiVersionOf(sample);
  return `${sample.group === '' ? `core/${version}` : version}/${sample.plural}`;
}

function applies(name: string, { status, scale, cases }: Sample): boolean {
  if (cases !== undefined && !cases.includes(name)) return false;
  if (name === 'status') return status !== undefined;
  return name !== 'scale' || scale === true;
}
