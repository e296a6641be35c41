/** Something wrong in an operator's file. */
export interface Mistake {
  /** JSON pointer into the file. */
  path: string;
  message: string;
}
