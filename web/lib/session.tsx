import type { Session, User } from '@supabase/auth-js'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { supabase } from './supabase.ts'

/** AUTH-21: who is signed in; `loading` until the stored session has been read or an auth event has arrived (AUTH-22). */
export type SessionState = { user: User | null; session: Session | null; loading: boolean }

const SessionContext = createContext<SessionState>({ user: null, session: null, loading: true })

type Props = {
  children: ReactNode
  /** Called when another person is signed in than before, or nobody. Not called for the first answer. */
  onUserChange: () => void
}

export function SessionProvider({ children, onUserChange }: Props) {
  const [state, setState] = useState<SessionState>({ user: null, session: null, loading: true })

  useEffect(() => {
    let known: string | null | undefined
    const { data } = supabase.auth.onAuthStateChange((_event, session) => {
      const id = session?.user.id ?? null
      const changed = known !== undefined && known !== id
      known = id
      setState({ user: session?.user ?? null, session, loading: false })
      // Later, because the client holds its lock while it calls us, and whoever reacts will call the client.
      if (changed) setTimeout(onUserChange, 0)
    })
    return () => data.subscription.unsubscribe()
  }, [onUserChange])

  return <SessionContext value={state}>{children}</SessionContext>
}

export function useSession(): SessionState {
  return useContext(SessionContext)
}
