import { compareSync } from 'bcryptjs'

/** bcryptjs blocks its thread. */
export default ({ password, hash }: { password: string; hash: string }): boolean => compareSync(password, hash)
