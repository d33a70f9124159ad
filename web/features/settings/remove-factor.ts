import { authClient } from '../../lib/auth/auth-client.ts'

/** Takes a second factor away. The token still says that one was shown, so it is renewed. */
export async function removeFactor(factorId: string): Promise<void> {
  const auth = await authClient()
  const { error } = await auth.mfa.unenroll({ factorId })
  if (error) throw error
  await auth.refreshSession()
}
