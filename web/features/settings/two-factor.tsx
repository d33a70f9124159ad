import { Button } from '@mantine/core'
import { settingsTexts } from '@ovation/contract/texts/settings'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { factorsQuery, recoveryCodesQuery } from '../../domain/accounts/factor-queries.ts'
import { RecoveryCodesDialog } from '../../domain/accounts/recovery-codes-dialog.tsx'
import { TurnOnTwoFactor } from '../../domain/accounts/turn-on-two-factor.tsx'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { announce, toast } from '../../ui/toast.ts'
import { removeFactor } from './remove-factor.ts'
import { Section } from './section.tsx'
import classes from './settings.module.css'

const texts = settingsTexts.twoFactor

/** SET-21. It is on exactly while there is a verified factor. */
export function TwoFactor() {
  const factors = useQuery(factorsQuery())
  const app = factors.data?.find(({ factor_type: type }) => type === 'totp')
  const has = (wanted: string) => factors.data?.some(({ factor_type: type }) => type === wanted) ?? false
  const hasOther = has('webauthn') || has('phone')
  const message = app ? texts.on : has('webauthn') ? texts.onByKey : hasOther ? texts.onByPhone : texts.off
  return (
    <Section title={texts.title} message={factors.data && message}>
      {factors.data ? (
        <div className={classes.body}>
          {app ? <TurnOff factorId={app.id} last={!hasOther} /> : <TurnOnTwoFactor isFirst={!hasOther} />}
          {(app || hasOther) && <RecoveryCodes />}
        </div>
      ) : factors.isError ? (
        <LoadFailed title={settingsTexts.loadFailed} of={factors} />
      ) : (
        <ListSkeleton rows={1} />
      )}
    </Section>
  )
}

function TurnOff({ factorId, last }: { factorId: string; last: boolean }) {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => removeFactor(factorId),
    onSuccess: () => {
      if (last) announce(texts.turnedOff)
      void queryClient.invalidateQueries({ queryKey: factorsQuery().queryKey })
      void queryClient.invalidateQueries({ queryKey: recoveryCodesQuery().queryKey })
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.failed),
    onSettled: () => setAsking(false),
  })
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {texts.turnOff}
      </Button>
      {asking && (
        <ConfirmDialog
          title={texts.offDialog.title}
          message={texts.offDialog.message}
          confirmLabel={texts.offDialog.confirm}
          pending={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

function RecoveryCodes() {
  const queryClient = useQueryClient()
  const status = useQuery(recoveryCodesQuery())
  const [step, setStep] = useState<'none' | 'confirm' | 'show'>('none')
  if (status.data === undefined) return null
  const known = status.data
  const close = () => {
    setStep('none')
    void queryClient.invalidateQueries({ queryKey: recoveryCodesQuery().queryKey })
  }
  return (
    <div className={classes.row}>
      <p className={`${classes.rowWords} ${classes.shortText} ${classes.rowDetail}`}>
        {known ? texts.codes.remaining(known.remaining, known.total) : texts.codes.none}
      </p>
      <Button variant="subtle" color="gray" onClick={() => setStep(known ? 'confirm' : 'show')}>
        {known ? texts.codes.renew : texts.codes.make}
      </Button>
      {step === 'confirm' && (
        <ConfirmDialog
          title={texts.codes.renewDialog.title}
          message={texts.codes.renewDialog.message}
          confirmLabel={texts.codes.renewDialog.confirm}
          onConfirm={() => setStep('show')}
          onClose={close}
        />
      )}
      {step === 'show' && <RecoveryCodesDialog renew={known !== null} onClose={close} />}
    </div>
  )
}
