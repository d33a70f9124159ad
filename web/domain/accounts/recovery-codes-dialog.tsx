import { Button, Group, Skeleton, Text } from '@mantine/core'
import { settingsTexts } from '@ovation/contract/texts/settings'
import { useQuery } from '@tanstack/react-query'
import { appConfig } from '../../lib/api/config.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { authClient } from '../../lib/auth/auth-client.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { copyText } from './copy-text.ts'
import classes from './recovery-codes-dialog.module.css'

const texts = settingsTexts.twoFactor.codes

/** Shows new recovery codes, once. Only its button closes it, so that a stray click can't lose them. */
export function RecoveryCodesDialog({ renew, onClose }: { renew: boolean; onClose: () => void }) {
  const codes = useQuery({
    queryKey: ['new-recovery-codes'],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { mfa } = await authClient()
      const { data, error } = await (renew ? mfa.recoveryCodes.regenerate() : mfa.recoveryCodes.generate())
      if (error) throw error
      return data.codes
    },
  })
  return (
    <Dialog title={texts.title} onClose={onClose} closable={codes.isError}>
      <Text>{texts.advice}</Text>
      {codes.data ? (
        <Codes codes={codes.data} onClose={onClose} />
      ) : codes.isError ? (
        <LoadFailed title={settingsTexts.twoFactor.failed} message={errorMessageOf(codes.error)} of={codes} />
      ) : (
        <Skeleton height={180} mt="md" />
      )}
    </Dialog>
  )
}

function Codes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const text = `${appConfig().name}\n\n${codes.join('\n')}\n`
  return (
    <>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group justify="space-between">
        <Group gap="xs">
          <Button variant="default" onClick={() => void copyText(text, texts.copied)}>
            {texts.copy}
          </Button>
          <Button
            component="a"
            variant="default"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            download={texts.fileName}
          >
            {texts.download}
          </Button>
        </Group>
        <Button ml="auto" onClick={onClose}>
          {texts.done}
        </Button>
      </Group>
    </>
  )
}
