import { Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Json } from '@ovation/contract/database'
import { fanListNameMaxLength } from '@ovation/contract/limits'
import { fanListTexts } from '@ovation/contract/texts/fan-lists'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { draftOf, newGroup, type Rule, ruleOf } from '../../domain/fans/audience-rule.ts'
import { createFanList, isNameTaken } from '../../domain/fans/create-fan-list.ts'
import { audienceQuery, type FanList, fansKey } from '../../domain/fans/list-queries.ts'
import { RuleField } from '../../domain/fans/rule-field.tsx'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { formatCount } from '../../lib/format/format-number.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'

const texts = fanListTexts.form

type Props = {
  viewerId: string
  /** The list to change; without it, the form creates one. */
  list?: FanList | undefined
  isSmart: boolean
  onSaved: (id: string) => void
  onClose: () => void
}

/** Creates a list or changes it: its name, and the rule of a smart one with the number of fans who meet it now (LIST-02). */
export default function ListForm({ viewerId, list, isSmart, onSaved, onClose }: Props) {
  const queryClient = useQueryClient()
  const form = useAppForm({
    initialValues: { name: list?.name ?? '', rule: list?.rule ? draftOf(list.rule) : newGroup() },
    validate: {
      name: (value) => (value.trim() ? null : texts.errors.name),
      rule: (value) => (!isSmart || ruleOf(value) ? null : texts.errors.rule),
    },
  })
  const save = useMutation({
    mutationFn: async ({ name, rule: draft }: typeof form.values) => {
      const rule = isSmart ? ruleOf(draft) : null
      if (!list) return (await createFanList(name, rule)).id
      const change = { name: name.trim(), ...(rule && { rule: rule as unknown as Json }) }
      await supabase.from('fan_lists').update(change).eq('id', list.id).throwOnError()
      return list.id
    },
    onSuccess: async (id) => {
      await queryClient.invalidateQueries({ queryKey: fansKey(viewerId) })
      toast.success(list ? texts.saved : texts.created)
      onSaved(id)
    },
    onError: (error) => isNameTaken(error) && form.showError('name', texts.errors.taken),
  })
  const title = list
    ? isSmart
      ? fanListTexts.editSmart
      : fanListTexts.edit
    : isSmart
      ? fanListTexts.createSmart
      : fanListTexts.create
  const { error: ruleError } = form.getInputProps('rule')
  return (
    <Dialog
      title={title}
      onClose={onClose}
      closable={!save.isPending}
      size={isSmart ? 'xl' : 'md'}
      fullScreenOnPhone={isSmart}
    >
      <form
        noValidate
        onSubmit={form.handleSubmit((values) =>
          save.mutateAsync(values).then(
            () => undefined,
            () => undefined,
          ),
        )}
      >
        <Stack>
          <TextInput
            label={texts.name}
            required
            maxLength={fanListNameMaxLength}
            readOnly={save.isPending}
            dir="auto"
            data-autofocus
            {...form.getInputProps('name')}
          />
          {isSmart && (
            <>
              <RuleField
                viewerId={viewerId}
                value={form.values.rule}
                onChange={(rule) => form.setFieldValue('rule', rule)}
                ownList={list?.id}
              />
              <Audience viewerId={viewerId} rule={ruleOf(form.values.rule)} />
              {ruleError && (
                <Text size="sm" c="var(--mantine-color-error)" role="alert">
                  {ruleError}
                </Text>
              )}
            </>
          )}
          <FormFoot
            submit={list ? texts.save : texts.create}
            pending={save.isPending}
            failed={texts.failed}
            error={isNameTaken(save.error) ? undefined : save.error}
          />
        </Stack>
      </form>
    </Dialog>
  )
}

/** How many fans meet the rule, while it is written. */
function Audience({ viewerId, rule }: { viewerId: string; rule: Rule | null }) {
  const [settled] = useDebouncedValue(rule, 300)
  const count = useQuery({ ...audienceQuery(viewerId, settled), placeholderData: keepPreviousData })
  const { incomplete, counting, matches } = fanListTexts.rule
  return (
    <Text role="status" fw={600} size="sm">
      {rule === null
        ? incomplete
        : count.isError
          ? errorMessageOf(count.error)
          : count.data === undefined
            ? counting
            : matches(formatCount(count.data))}
    </Text>
  )
}
