import type { Session, User } from '@supabase/auth-js'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { owesSecondFactor } from './second-factor.ts'
import { supabase } from './supabase.ts'

/** AUTH-21: who is signed in; `loading` until the stored session has been read or an auth event has arrived (AUTH-22). */
export type SessionState = {
  user: User | null
  session: Session | null
  /** A session that still owes its second factor (AUTH-19): the person counts as a visitor until it is shown. */
  pending: Session | null
  loading: boolean
}

const nobody: SessionState = { user: null, session: null, pending: null, loading: true }
const SessionContext = createContext<SessionState>(nobody)

type Props = {
  children: ReactNode
  /** Called when another person is signed in than before, or nobody. Not called for the first answer. */
  onUserChange: () => void
  /** Called when a recovery link has signed the person in: what they came for is a new password (AUTH-20, AUTH-23). */
  onRecovery?: () => void
}

export function SessionProvider({ children, onUserChange, onRecovery }: Props) {
  const [state, setState] = useState<SessionState>(nobody)

  useEffect(() => {
    let known: string | null | undefined
    const { data } = supabase.auth.onAuthStateChange((event, stored) => {
      const pending = stored && owesSecondFactor(stored) ? stored : null
      const session = pending ? null : stored
      const id = session?.user.id ?? null
      const changed = known !== undefined && known !== id
      known = id
      setState({ user: session?.user ?? null, session, pending, loading: false })
      // Later, because the client holds its lock while it calls us, and whoever reacts will call the client.
      if (changed) setTimeout(onUserChange, 0)
      if (event === 'PASSWORD_RECOVERY' && onRecovery) setTimeout(onRecovery, 0)
    })
    return () => data.subscription.unsubscribe()
  }, [onUserChange, onRecovery])

  return <SessionContext value={state}>{children}</SessionContext>
}

export function useSession(): SessionState {
  return useContext(SessionContext)
}
