/** The provider's model of a job, stored with the job: the engines file may bind another model before the job has ended. */

export interface SubmittedModel {
  /** The provider's name, or the full path of a model that is a file. */
  model: string;
  /** The name in the operator's file, which clients see. */
  label: string;
  /** JSON pointers into the provider's output. */
  output: { images: string; seed: string | null };
}
