/** The containers of `lifehook oci`, as a list. Pure. */
import type { BrokenView, ContainerView } from '../lifecycles/container/life/query.ts';
import { type Listing, toneOf } from './listing.ts';

type View = ContainerView | BrokenView;

export function containersListing(items: readonly View[]): Listing<View> {
  return {
    items,
    nameOf: ({ state }) => state.id,
    columns: [
      { heading: 'ID', cell: ({ state }) => state.id },
      { heading: 'STATUS', cell: statusText, tone: (view) => toneOf(statusText(view)) },
      { heading: 'PID', cell: (view) => (isBroken(view) ? '' : String(view.state.pid ?? '')) },
      { heading: 'RUNNER', cell: (view) => (isBroken(view) ? '' : view.runner) },
      { heading: 'EXIT', cell: (view) => (isBroken(view) ? '' : exitText(view)) },
      { heading: 'BUNDLE', cell: (view) => (isBroken(view) ? '' : view.state.bundle) },
      {
        heading: 'PROBLEM',
        cell: (view) => (isBroken(view) ? view.problem.message : ''),
        isWide: true,
      },
    ],
  };
}

function isBroken(view: View): view is BrokenView {
  return 'problem' in view;
}

function statusText(view: View): string {
  if (isBroken(view)) return view.state.status;
  return view.interrupted ? `${view.state.status} (interrupted)` : view.state.status;
}

function exitText({ exit }: ContainerView): string {
  return exit === null ? '' : (exit.signal ?? String(exit.exitCode ?? 'unknown'));
}
