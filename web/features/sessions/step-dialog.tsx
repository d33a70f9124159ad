import { Button, Group, Text, Textarea } from '@mantine/core'
import { sessionTexts } from '@ovation/contract/texts/sessions'
import { useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'

const texts = sessionTexts.ask

type Props = {
  ask: 'decline' | 'cancelCreator' | 'cancelFan'
  pending: boolean
  onConfirm: (reason: string) => void
  onClose: () => void
}

/** Calls a session off, with a word to the other person. Keeping it has the focus, so that Enter destroys nothing by accident. */
export function StepDialog({ ask, pending, onConfirm, onClose }: Props) {
  const [reason, setReason] = useState('')
  const { title, message, confirm } = texts[ask]
  return (
    <Dialog title={title} onClose={onClose} closable={!pending}>
      <Text>{message}</Text>
      <Textarea
        mt="md"
        label={texts.reason}
        description={texts.reasonHint}
        rows={2}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        readOnly={pending}
      />
      <Group justify="flex-end" mt="xl">
        <Button variant="default" onClick={onClose} disabled={pending} data-autofocus>
          {texts.keep}
        </Button>
        <Button onClick={() => onConfirm(reason)} loading={pending}>
          {confirm}
        </Button>
      </Group>
    </Dialog>
  )
}
