import { commonTexts } from '@ovation/contract/texts/common'
import { useLocation, useNavigate } from 'react-router'
import { signInPath } from '../../lib/auth/sign-in-path.ts'
import { toast } from '../../ui/toast.ts'

/** For an action that needs an account: explains why, opens the sign-in screen, and returns here afterwards (GEN-40). */
export function useAskToSignIn(): () => void {
  const navigate = useNavigate()
  const location = useLocation()
  return () => {
    toast.info(commonTexts.signInRequired.message, commonTexts.signInRequired.title)
    void navigate(signInPath(location))
  }
}
