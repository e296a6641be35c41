/** An error in a configuration file of the operator. */
export interface Mistake {
  /** JSON pointer into the file. */
  path: string;
  message: string;
}
