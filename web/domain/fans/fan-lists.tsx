import { Button, Checkbox, Skeleton, TextInput } from '@mantine/core'
import { fanListNameMaxLength } from '@ovation/contract/limits'
import { fanListTexts } from '@ovation/contract/texts/fan-lists'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { useAppForm } from '../../ui/use-app-form.ts'
import { createFanList, isNameTaken } from './create-fan-list.ts'
import classes from './fan-lists.module.css'
import { type FanList, fanListsQuery, fansKey, listsOfFanQuery } from './list-queries.ts'
import { useListMembers } from './use-list-members.ts'

const texts = fanListTexts.dialog

type Props = { viewerId: string; fanIds: readonly string[] }

/** The viewer's lists, and which of them have a fan (LIST-01). Of several fans, it shows only what was added here. */
export function FanLists({ viewerId, fanIds }: Props) {
  const [only] = fanIds.length === 1 ? fanIds : []
  const lists = useQuery(fanListsQuery(viewerId))
  const listsOfFan = useQuery({ ...listsOfFanQuery(viewerId, only ?? ''), enabled: only !== undefined })
  const [added, setAdded] = useState<readonly string[]>([])
  const members = useListMembers(viewerId)
  const checked = only === undefined ? added : listsOfFan.data
  if (!lists.data || !checked)
    return lists.isError || listsOfFan.isError ? (
      <LoadFailed title={fanListTexts.listsFailed} of={[lists, listsOfFan]} />
    ) : (
      <Skeleton height={96} />
    )
  const byHand = lists.data.filter(({ rule }) => rule === null)
  const put = (list: FanList, isOn: boolean) => {
    if (only === undefined) setAdded(isOn ? [...added, list.id] : added.filter((id) => id !== list.id))
    members.mutate(
      { list, fanIds, isOn },
      { onError: () => setAdded((before) => before.filter((id) => id !== list.id || !isOn)) },
    )
  }
  return (
    <div className={classes.lists}>
      <p className={classes.hint}>{byHand.length === 0 ? texts.none : texts.hint}</p>
      {byHand.length > 0 && (
        <ul className={classes.choices}>
          {byHand.map((list) => (
            <li key={list.id}>
              <Checkbox
                label={list.name}
                checked={checked.includes(list.id)}
                onChange={({ currentTarget }) => put(list, currentTarget.checked)}
                dir="auto"
              />
            </li>
          ))}
        </ul>
      )}
      <NewList viewerId={viewerId} onCreate={(list) => put(list, true)} />
    </div>
  )
}

/** Creates a list and puts the fans on it. */
function NewList({ viewerId, onCreate }: { viewerId: string; onCreate: (list: FanList) => void }) {
  const queryClient = useQueryClient()
  const form = useAppForm({
    initialValues: { name: '' },
    validate: { name: (value) => (value.trim() ? null : fanListTexts.form.errors.name) },
    validateInputOnBlur: false,
  })
  const create = useMutation({
    mutationFn: ({ name }: typeof form.values) => createFanList(name, null),
    onSuccess: async (list) => {
      form.reset()
      await queryClient.invalidateQueries({ queryKey: [...fansKey(viewerId), 'lists'] })
      onCreate(list)
    },
    onError: (error) => form.showError('name', isNameTaken(error) ? fanListTexts.form.errors.taken : error.message),
  })
  return (
    <form
      noValidate
      className={classes.create}
      onSubmit={form.handleSubmit((values) => create.mutateAsync(values).catch(() => undefined))}
    >
      <TextInput
        aria-label={texts.name}
        placeholder={texts.placeholder}
        maxLength={fanListNameMaxLength}
        readOnly={create.isPending}
        dir="auto"
        {...form.getInputProps('name')}
      />
      <Button type="submit" variant="default" loading={create.isPending}>
        {texts.create}
      </Button>
    </form>
  )
}
