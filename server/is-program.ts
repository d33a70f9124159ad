import { accessSync, constants } from 'node:fs'

/** Whether `path` is a file that this user may execute. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
