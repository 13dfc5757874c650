// What the parts of the player promise each other.
import type { LatLngTuple } from "leaflet";
import type { ReplayDocument } from "./document";
import type { IndexEntry } from "./text/run-index";

/** A button of the player that tells the page. */
export interface Action {
  name: string;
  label: string;
}

export interface Options {
  /** In pixels; "fill" takes what the window leaves. */
  height?: number | "fill";
  actions?: Action[];
  /** Told of a button, of "next" and "previous" (keys n and p) where `episodes` is on, and of "open", with the episode. */
  onAction?: (name: string, step: number, episode?: string, cause?: number, at?: Breakpoint) => void;
  /** Where the walks of the page pause. */
  breakpoints?: Breakpoint[];
  onStep?: (step: number) => void;
  /** Whether the page has other episodes to go to. */
  episodes?: boolean;
  /** The other episodes of the run, where the page has them: for the search. */
  runIndex?: () => Promise<IndexEntry[]>;
  /** Whether the document stands in a file or a notebook: then there are no other episodes. */
  file?: boolean;
  /** Whether the step stands in the page's address. */
  deepLink?: boolean;
  step?: number | null;
  /** Starts where the likely cause began, near it on the map, unless a step is named. */
  start?: "cause";
  /** What the document is of, for pages that show one walk after the other in one place. */
  shows?: string;
  /** CSS selector of a text field of the page, whose text is told to the script as it is typed. */
  listensTo?: string;
  tab?: string;
  header?: boolean;
  theme?: "light" | "dark";
  fullscreen?: boolean;
  /** What the legend calls who walks. */
  agentWord?: string;
  /** Whether a map without a route shows all of its nodes. */
  whole?: boolean;
  /** Address of plotly's script, for the 3-D scene; a file has it already. */
  plotly?: string;
  /** Brings plotly's script otherwise; may wait for long, and then the note says for what. */
  loadPlotly?: () => Promise<void>;
  plotlyNote?: string;
}

/** Where a reference is. */
export interface Place {
  label: string;
  nodes: number[];
  at: number[][];
}

/** Where a walk pauses (`navviz.records.breakpoint`), as far as the player points at it. */
export interface Breakpoint {
  step?: number;
  node?: string;
  closes?: number;
  prompt?: string;
}

/** What the player gives to its map. */
export interface MapApi {
  readonly doc: ReplayDocument;
  readonly options: Options;
  /** Label, nodes and positions of a reference, as the step knows it. */
  resolve(ref: string, step: number): Place;
  /** The mouse is over these references on the map. */
  hover(refs: string[]): void;
  /** The mouse has clicked one. */
  pick(ref: string): void;
  /** How often the visible text speaks of a reference. */
  mentions(ref: string): number;
  /** Indices of the places that the text names: their names are set first. */
  named?(): ReadonlySet<number>;
  /** A colour of the current theme. */
  color(name: string): string;
  /** Set a breakpoint at a node, or take it away; not everywhere. */
  breakAt?(node: string): void;
  /** Something of the map changed the player's layout. */
  focus(): void;
}

/** A map: streets outdoors, a floor plan indoors. */
/** What pictures ask of whoever shows them: a player, or a desk without one. */
export type Seer = Pick<import("./player.js").Player, "doc" | "root" | "step" | "colors" | "pictures" | "look"> & {
  map: Pick<MapBackend, "cone" | "highlight" | "panTo">;
  lightText(refs: string[]): void;
  /** Where a click on a disc is a step of the walk itself, and no look around beside an agent's. */
  walks?: { may(node: number): boolean; go(node: number): void } | null;
};

export interface MapBackend {
  /** 0 .. steps; move what moves, without a blink. */
  showStep(step: number): void;
  /** Light up references. */
  highlight(refs: string[]): void;
  /** Bring a reference into view. */
  panTo(ref: string): void;
  /** Show the surroundings of a position. */
  closeUp(at: number[], others?: number[][]): void;
  /** A cone where the user looks around from a node; null takes it away. */
  cone?(look: { node: number; heading: number; field: number } | null): void;
  /** The links that were not taken, at their forks, and the walk after one of them. */
  whatIf?: import("./maps/ghosts").Ghosts;
  /** A newer document: keep the view. */
  update(doc: ReplayDocument): void;
  setTheme(): void;
  resize(): void;
  /** The whole route. */
  fit(animate?: boolean): void;
  destroy(): void;
}

export interface MapClass {
  new (container: HTMLElement, doc: ReplayDocument, api: MapApi): MapBackend;
}

export type Spot = LatLngTuple;

/** Boxes on the screen: left, top, right, bottom, in pixels. */
export type Box = [number, number, number, number];

declare global {
  // Plotly's script, where the page or the file has it; only what the scene uses.
  var Plotly: PlotlyScript | undefined;
  var NavVizPlayer: unknown;
  var NavVizTalk: unknown;
  var NavVizStreamlit: unknown;
}

export interface PlotlyScript {
  newPlot(box: HTMLElement, traces: object[], layout: object, config: object): Promise<PlotlyBox>;
  react(box: HTMLElement, traces: object[], layout: object, config: object): Promise<unknown>;
  restyle(box: HTMLElement, change: object, traces: number[]): Promise<unknown>;
  relayout(box: HTMLElement, change: object): Promise<unknown>;
  purge(box: HTMLElement): void;
}

export interface PlotlyBox extends HTMLElement {
  on(event: string, handler: (event: PlotlyEvent) => void): void;
  layout: { width?: number; height?: number; scene?: { camera?: { eye?: object } } };
}

export interface PlotlyEvent {
  points?: { pointNumber: number; data?: { name?: string } }[];
}
