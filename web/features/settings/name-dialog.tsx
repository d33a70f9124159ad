import { Button, Group, Stack, TextInput } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { settingsTexts } from '@ovation/contract/texts/settings'
import { Dialog } from '../../ui/dialog.tsx'
import { useAppForm } from '../../ui/use-app-form.ts'

const texts = settingsTexts.keys

type Props = {
  title: string
  draftKey: string
  name: string
  pending: boolean
  onSave: (name: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for the name of a key. */
export function NameDialog({ title, draftKey, name, pending, onSave, onClose }: Props) {
  const form = useAppForm({
    initialValues: { name },
    validate: { name: (value) => (value.trim() ? null : texts.nameMissing) },
    draft: { key: `key-name:${draftKey}` },
  })
  const close = () => {
    form.forgetDraft()
    onClose()
  }
  return (
    <Dialog title={title} onClose={close} size="sm" closable={!pending}>
      <form onSubmit={form.handleSubmit((values) => onSave(values.name.trim()).then(form.forgetDraft))} noValidate>
        <Stack>
          <TextInput label={texts.name} maxLength={60} data-autofocus {...form.getInputProps('name')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close} disabled={pending}>
              {commonTexts.cancel}
            </Button>
            <Button type="submit" loading={pending}>
              {commonTexts.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
