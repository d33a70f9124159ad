import { Button, Group, Text, Textarea } from '@mantine/core'
import { sessionTexts } from '@ovation/contract/texts/private-sessions'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { destructive } from '../../ui/destructive.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { useAppForm } from '../../ui/use-app-form.ts'
import { useBookingStep } from './use-booking-step.ts'

const texts = sessionTexts.ask

type Props = { bookingId: string; ask: 'decline' | 'cancelCreator' | 'cancelFan'; onClose: () => void }

/** Cancels a session, with a message to the other participant. Keeping it has the focus, so that Enter destroys nothing by accident. */
export default function StepDialog({ bookingId, ask, onClose }: Props) {
  const step = useBookingStep()
  const form = useAppForm({ initialValues: { reason: '' }, draft: { key: `booking-step:${bookingId}` } })
  const close = () => {
    form.forgetDraft()
    onClose()
  }
  const submit = form.handleSubmit(({ reason }) =>
    step.mutateAsync({ step: ask === 'decline' ? 'decline' : 'cancel', bookingId, reason }, { onSuccess: close }),
  )
  const { title, message, confirm } = texts[ask]
  return (
    <Dialog title={title} onClose={close} closable={!step.isPending}>
      <form onSubmit={submit} noValidate>
        {/* After a rejection, the message no longer holds: a late cancellation isn't refunded. */}
        {!step.isError && <Text>{message}</Text>}
        <Textarea
          my="md"
          label={texts.reason}
          description={texts.reasonHint}
          rows={2}
          maxLength={500}
          readOnly={step.isPending}
          {...form.getInputProps('reason')}
        />
        <FormFailure title={sessionTexts.failed} message={step.error ? errorMessageOf(step.error) : undefined} />
        <Group justify="flex-end" mt="xl">
          <Button variant="default" onClick={close} disabled={step.isPending} data-autofocus>
            {texts.keep}
          </Button>
          <Button {...destructive} type="submit" loading={step.isPending}>
            {confirm}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
