// What a published site is given: navviz/views/site/schema.py, in TypeScript.
import type { ListColumn } from "../list/types";

export interface Share {
  value: number;
  low?: number;
  high?: number;
  n: number;
}

export interface SiteFigure {
  metric: string;
  title: string;
  unit: string;
  value: number;
  low?: number;
  high?: number;
  n: number;
  text: string;
  span: string;
}

export interface SiteCause {
  id: string;
  name: string;
  hint: boolean;
  likely: number;
  failed?: Share;
}

export interface SiteGroup {
  id: string;
  words: string;
  failures: number;
  share: Share;
  example: string;
}

export interface SiteMap {
  name: string;
  walks: number;
  frame: "geo" | "metric";
  attribution?: string;
  corners?: [number, number][];
}

export interface SiteRun {
  name: string;
  navigator: string;
  model?: string;
  episodes: number;
  summary: string;
  /** What has to be said beside the figures. */
  marks: string[];
  figures: SiteFigure[];
  columns: ListColumn[];
  acts: SiteCause[];
  causes: SiteCause[];
  failures: number;
  groups: SiteGroup[];
  groups_note: string;
  maps: SiteMap[];
  chunk_of: number[];
  thumbs: number;
  about: [string, string][];
  files: { role: string; name: string; sha256?: string }[];
  notes: string[];
}

export interface ComparedFigure {
  metric: string;
  run: string;
  text: string;
  span: string;
  n: number;
  difference: string;
  /** Episodes that both runs have a figure of. */
  pairs: number;
  p: string;
  test: string;
}

export interface SiteDocument {
  version: number;
  title: string;
  authors: string;
  url: string;
  licence: string;
  source: string;
  bibtex: string;
  made_with: string;
  without: string[];
  runs: SiteRun[];
  compare?: { baseline: string; episodes: number; figures: ComparedFigure[]; note: string };
  compare_fault: string;
}

/** What assets/atlas.js draws, and what it gives back. */
export interface AtlasData {
  walks: { id: string; d: number[]; v: number[] }[];
  names: string[];
  marks: { left: string; through: string };
  theme?: "auto" | "light" | "dark";
  chosen?: (mark: string) => void;
}

export interface DrawnAtlas {
  show(passing: number[] | null): void;
}

declare global {
  var navviz_chunk: (name: string, parts: string[]) => void;
  var navvizSite: string[] | undefined;
  var NavVizAtlas: { draw(map: import("leaflet").Map, data: AtlasData): DrawnAtlas };
}
