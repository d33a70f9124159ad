import { Button } from '@mantine/core'
import { settingsTexts } from '@ovation/contract/texts/settings'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { factorsQuery, recoveryCodesQuery } from './factor-queries.ts'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { TotpDialog } from './totp-dialog.tsx'

const texts = settingsTexts.twoFactor

type Props = {
  /** False if the account already has a second factor. */
  isFirst?: boolean
  /** Whether it is the screen's primary action (LOOP-28). */
  primary?: boolean
  onBegin?: () => void
  /** Also called when the user cancels. */
  onDone?: () => void
}

/** Enrolls an app, then shows the recovery codes right away, before the user can lose the phone. */
export function TurnOnTwoFactor({ isFirst = true, primary = false, onBegin, onDone }: Props) {
  const queryClient = useQueryClient()
  const [step, setStep] = useState<'none' | 'app' | 'codes'>('none')
  const finish = () => {
    setStep('none')
    void queryClient.invalidateQueries({ queryKey: factorsQuery().queryKey })
    void queryClient.invalidateQueries({ queryKey: recoveryCodesQuery().queryKey })
    onDone?.()
  }
  return (
    <>
      <Button
        variant={primary ? 'filled' : 'default'}
        onClick={() => {
          onBegin?.()
          setStep('app')
        }}
      >
        {isFirst ? texts.turnOn : texts.addApp}
      </Button>
      {step === 'app' && <TotpDialog onVerified={() => setStep('codes')} onClose={finish} />}
      {step === 'codes' && <RecoveryCodesDialog renew={false} onClose={finish} />}
    </>
  )
}
