/**
 * The effect of deleting a DeploymentLifecycle on the template that it holds. The machine carries it out, the webhook
 * warns about it, and `lifehook uninstall` lists it. Pure.
 *
 *  ROLL-D1 A held template starts only if `onDelete` of the lifecycle is Release.
 *  ROLL-D2 No held template counts as released, even after another lifecycle is created.
 */
import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import type { ReleasedTemplate } from '../kinds.ts';
import { templateDigest } from '../template-digest.ts';
import type { Managed, NamedTemplate } from './facts.ts';
import { marksOf } from './marks.ts';
import { isPaused, isPausedAtRest, nameOf, uidOf } from './parts.ts';
import { digestOf, lastRun, releasedTemplate, type UnnumberedTemplate } from './templates.ts';

export type AtDeletion =
  /** The spec has no unreleased template. */
  | { readonly kind: 'nothingHeld' }
  /** The last released template is restored. */
  | { readonly kind: 'restore'; readonly before: NamedTemplate }
  /** The held template starts without its hooks. */
  | { readonly kind: 'release' }
  /** No template was ever released: the Deployment stays paused. */
  | { readonly kind: 'stayPaused' };

export type DeletionFacts = Pick<Managed, 'lifecycle' | 'deployment' | 'sets'>;

export function atDeletion(facts: DeletionFacts): AtDeletion {
  if (!isHolding(facts)) return { kind: 'nothingHeld' };
  const before = releasedOf(facts);
  if (before?.digest === digestOf(facts)) return { kind: 'nothingHeld' };
  if (facts.lifecycle.spec.onDelete === 'Release') return { kind: 'release' };
  return before === null ? { kind: 'stayPaused' } : { kind: 'restore', before };
}

/** One sentence for users about the template that runs afterwards. */
export function whatFollows(facts: DeletionFacts): string {
  const { deployment } = facts;
  const { number } = marksOf(deployment);
  const held = `rollout ${number ?? '?'} (${templateText(heldTemplate(facts))})`;
  const follows = atDeletion(facts);
  switch (follows.kind) {
    case 'nothingHeld':
      return `no template is held, and ${templateText(heldTemplate(facts))} continues`;
    case 'restore':
      return `${held} is withdrawn, and the released template is restored: ${templateText(follows.before)}`;
    case 'release':
      return `${held} starts without its hooks, since spec.onDelete is Release`;
    case 'stayPaused': {
      const resume = `kubectl rollout resume deployment/${nameOf(deployment)}`;
      return `${held} stays paused, since nothing was released before it: create a DeploymentLifecycle for its hooks, or start it without them by \`${resume}\``;
    }
    default:
      return follows satisfies never;
  }
}

/** True: the template in the spec is, or may be, unreleased. */
function isHolding({ deployment, lifecycle }: DeletionFacts): boolean {
  const { number, released } = marksOf(deployment);
  if (number === null) return false;
  return number !== released || (isPausedAtRest(lifecycle) && isPaused(deployment));
}

/**
 * The released template to restore; null: there is none. A record of another Deployment of the same name does not
 * count.
 */
function releasedOf(facts: DeletionFacts): ReleasedTemplate | UnnumberedTemplate | null {
  const { deployment, lifecycle } = facts;
  const { deploymentUID = uidOf(deployment) } = lifecycle.status ?? {};
  const recorded = deploymentUID === uidOf(deployment) ? releasedTemplate(facts) : null;
  if (recorded !== null || marksOf(deployment).released === 0) return recorded;
  return lastRun(facts);
}

function heldTemplate(facts: DeletionFacts): NamedTemplate {
  const template: PodTemplateSpec = facts.deployment.spec?.template ?? {};
  return { template, digest: templateDigest(template) };
}

const DIGEST_SHOWN = 12;
const IMAGES_SHOWN = 4;

/** The template for users, such as "template 3f2a…, image web:2, log:1". */
function templateText({ template, digest }: NamedTemplate): string {
  const { containers = [] } = template.spec ?? {};
  const images = containers.slice(0, IMAGES_SHOWN).map(({ image = 'none' }) => image);
  const more = containers.length - images.length;
  const all = [...images, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return `template ${digest.slice(0, DIGEST_SHOWN)}, image ${all}`;
}
