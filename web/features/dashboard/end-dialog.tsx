import { Button, Stack } from '@mantine/core'
import { massMessageTexts } from '@ovation/contract/texts/mass-messages'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type MassMessage, massMessagesKey } from '../../domain/mass-messages/queries.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { fromLocalInput, timeProblem, toLocalInput } from '../../lib/format/local-time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { TimeField } from '../../ui/time-field.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'

const texts = massMessageTexts.end

type Props = { profileId: string; message: MassMessage; onClose: () => void }

/** Sets, changes, or lifts the end of an offer (MASS-04). */
export default function EndDialog({ profileId, message: { id, ends_at }, onClose }: Props) {
  const queryClient = useQueryClient()
  const form = useAppForm({
    initialValues: { endsAt: ends_at === null ? '' : toLocalInput(new Date(ends_at)) },
    validate: { endsAt: timeProblem },
  })
  const save = useMutation({
    mutationFn: async (end: Date | null) => {
      await supabase
        // The generated types don't say that PostgreSQL takes null for an argument.
        .rpc('set_mass_message_end', {
          mass_message_id: id,
          ends_at: end?.toISOString() ?? (null as unknown as string),
        })
        .throwOnError()
    },
    onSuccess: () => {
      toast.success(texts.changed)
      onClose()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: massMessagesKey(profileId) }),
  })
  return (
    <Dialog title={texts.dialog} onClose={onClose} closable={!save.isPending}>
      <form noValidate onSubmit={form.handleSubmit(({ endsAt }) => save.mutateAsync(fromLocalInput(endsAt)))}>
        <Stack>
          <TimeField
            label={massMessageTexts.compose.endsAt}
            readOnly={save.isPending}
            data-autofocus
            {...form.getInputProps('endsAt')}
          />
          {ends_at !== null && (
            <div>
              <Button variant="default" disabled={save.isPending} onClick={() => save.mutate(null)}>
                {texts.never}
              </Button>
            </div>
          )}
          <FormFoot submit={texts.save} pending={save.isPending} failed={texts.changeFailed} error={save.error} />
        </Stack>
      </form>
    </Dialog>
  )
}
