// What a list is given, and what one looks at of it.

export type Cell = string | number | string[] | null;

export interface ListColumn {
  name: string;
  label: string;
  help: string;
  kind: "text" | "number" | "tags";
  digits?: number;
  filter?: "choice" | "tags" | "range";
  /** What people read for a value, where links and filters know it by an id. */
  labels?: Record<string, string>;
}

export interface ListState {
  /** Words that instruction or id hold, in any case. */
  search: string;
  /** Values that pass, by column. */
  choices: Record<string, string[]>;
  /** Smallest and largest number that pass, by column. */
  ranges: Record<string, [number, number]>;
  sort: string | null;
  descending: boolean;
}
