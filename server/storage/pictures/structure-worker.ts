import { inspectStructure, type PictureStructure, TooManyParts } from './picture-end.ts'

export type Inspected = { readonly structure: PictureStructure } | { readonly structure: null }

/** @returns null for a picture with too many parts: an error's class doesn't survive the way between threads. */
export default async function inspect({ file, format }: { file: string; format: string }): Promise<Inspected> {
  try {
    return { structure: await inspectStructure(file, format) }
  } catch (error) {
    if (error instanceof TooManyParts) return { structure: null }
    throw error
  }
}
