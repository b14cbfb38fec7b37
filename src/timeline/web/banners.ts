/** The head of the page, and the problems of its data: no session, a source that cannot be read, an unknown link. */
import { button, byId, element } from './elements.ts';
import { EVERYTHING, isEverything } from './filter.ts';
import type { Actions, Scene } from './view.ts';
import { asOfText, clockText, countText, dateText, zoneText } from './words.ts';

const CONNECTIONS: Readonly<Record<Exclude<Scene['connection'], 'exported'>, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Lost, trying again',
  signedOut: 'Signed out',
};

export class Banners {
  readonly #actions: Actions;
  #shownFor = '';

  constructor(actions: Actions) {
    this.#actions = actions;
  }

  render(scene: Scene): void {
    const { bars, shown, lanes, connection, forgotten, nowMs, isStopped } = scene;
    setText('summary', summary({ bars: shown.length, lanes: lanes.length, forgotten }));
    setText(
      'connection',
      connection === 'exported'
        ? `Report of ${dateText(nowMs)}, ${clockText(nowMs, 's')} ${zoneText(nowMs)}`
        : CONNECTIONS[connection],
    );
    const isLost = isStopped && connection !== 'exported';
    setText('as-of', isLost ? asOfText(nowMs) : '');
    byId('as-of').hidden = !isLost;
    byId('connection').dataset['state'] = connection;
    this.#renderBanners(scene);
    this.#renderEmpty(scene, bars.length > 0);
  }

  #renderBanners({ connection, sources, isLinkLost, advice }: Scene): void {
    const holder = byId('banners');
    const problems = sources.filter(({ problem }) => problem !== null);
    const shownFor = JSON.stringify([connection, problems, isLinkLost]);
    if (shownFor === this.#shownFor) return;
    this.#shownFor = shownFor;
    const made: HTMLElement[] = [];
    if (connection === 'signedOut') made.push(problemBanner(`${SIGNED_OUT} ${advice}`));
    if (isLinkLost) made.push(problemBanner(LINK_LOST));
    for (const { name, problem } of problems) {
      made.push(problemBanner(`${name} cannot be read: ${problem ?? ''}`));
    }
    holder.replaceChildren(...made);
  }

  #renderEmpty({ shown, view, connection, sources }: Scene, hasBars: boolean): void {
    const holder = byId('empty');
    holder.hidden = shown.length > 0 || connection === 'connecting';
    if (holder.hidden) return;
    const kind = hasBars ? 'filtered' : `nothing ${sources.map(({ name }) => name).join()}`;
    if (holder.dataset['kind'] === kind) return;
    holder.dataset['kind'] = kind;
    const all = button('Show all spans', {}, () => {
      this.#actions.change({ filter: EVERYTHING });
    });
    holder.replaceChildren(
      ...(hasBars && !isEverything(view.filter)
        ? [element('h2', {}, ['No span matches the filter']), all]
        : nothingYet(sources.map(({ name }) => name))),
    );
  }
}

interface Summary {
  readonly bars: number;
  readonly lanes: number;
  readonly forgotten: number;
}

function summary({ bars, lanes, forgotten }: Summary): string {
  if (bars === 0) return '';
  const more = forgotten === 0 ? '' : `, ${forgotten.toLocaleString('en-US')} older spans removed`;
  return `${countText(bars, 'span')} on ${countText(lanes, 'track')}${more}`;
}

function setText(id: string, text: string): void {
  const found = byId(id);
  if (found.textContent !== text) found.textContent = text;
}

const SIGNED_OUT = 'This browser is signed out.';
const LINK_LOST =
  'The span that this link names is not here: it belongs to another timeline, or was removed as one of the oldest.';

const problemBanner = (text: string): HTMLElement =>
  element('p', { class: 'banner is-problem', role: 'alert' }, [text]);

function nothingYet(sources: readonly string[]): HTMLElement[] {
  const commands = [
    [
      'lifehook dev',
      'in a directory with a skaffold.yaml: build, deploy, and run the hooks of both',
    ],
    ['lifehook snapshot create', 'snapshot an application between its freeze and its thaw'],
    ['kubectl rollout restart', 'restart a Deployment with pre, mid and post hooks'],
    ['lifehook oci run', 'run a container with its hooks'],
  ];
  const items = commands.flatMap(([command = '', what = '']) => [
    element('dt', {}, [element('code', {}, [command])]),
    element('dd', {}, [what]),
  ]);
  const watched = sources.length === 0 ? 'No source' : sources.join(', ');
  return [
    element('h2', {}, ['Nothing has run yet']),
    element('p', {}, ['A span appears here as soon as a hook starts, for example with:']),
    element('dl', {}, items),
    element('p', { class: 'soft' }, [`Watched: ${watched}.`]),
  ];
}
