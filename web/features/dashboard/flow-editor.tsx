import { Anchor, Group, NativeSelect, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import type { Json } from '@ovation/contract/database'
import { flowDaysMax, flowNameMaxLength } from '@ovation/contract/limits'
import { flowTexts } from '@ovation/contract/texts/flows'
import { IconArrowLeft } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { supabase } from '../../lib/api/supabase.ts'
import { FormFoot } from '../../ui/form-foot.tsx'
import { PriceInput } from '../../ui/price-input.tsx'
import { toast } from '../../ui/toast.ts'
import { type AppForm, useAppForm } from '../../ui/use-app-form.ts'
import { FlowActions, FlowStatus } from './flow-actions.tsx'
import {
  type FlowValues,
  problemOfSteps,
  stepOf,
  type TemplateName,
  triggerOf,
  valuesOf,
  valuesOfTemplate,
} from './flow-draft.ts'
import { LinkField } from './flow-link-field.tsx'
import { ListField } from './flow-list-field.tsx'
import { type Flow, flowsQuery, type Trigger } from './flow-queries.ts'
import { FlowSteps } from './flow-steps.tsx'
import classes from './flows.module.css'

const texts = flowTexts.form

type Props = {
  viewerId: string
  /** The flow to change; without it, the form creates one. */
  flow: Flow | undefined
  template: TemplateName
  onCreated: (id: string) => void
  onClose: () => void
}

/** Writes a flow: what starts it, when it is silent, and its steps with their numbers (AUTO-01, AUTO-02, AUTO-05). */
export default function FlowEditor({ viewerId, flow, template, onCreated, onClose }: Props) {
  const queryClient = useQueryClient()
  const form = useAppForm<FlowValues>({
    initialValues: flow ? valuesOf(flow) : valuesOfTemplate(template),
    draft: { key: `flow:${flow?.id ?? `new:${template}`}` },
    validate: {
      name: (value) => (value.trim() && value.trim().length <= flowNameMaxLength ? null : texts.errors.name),
      trigger: (_, values) => (triggerOf(values) ? null : texts.errors.trigger),
      quietUntil: (value, { quietFrom }) =>
        (value === '') === (quietFrom === '') && (value === '' || value !== quietFrom) ? null : texts.errors.quiet,
      steps: problemOfSteps,
    },
  })
  const save = useMutation({
    mutationFn: async (values: FlowValues) => {
      const { data } = await supabase
        .rpc('save_flow', {
          name: values.name.trim(),
          trigger: triggerOf(values) as unknown as Json,
          steps: values.steps.map(stepOf) as unknown as Json,
          ...(values.quietFrom && { quiet_from: values.quietFrom, quiet_until: values.quietUntil }),
          ...(flow && { flow_id: flow.id }),
        })
        .throwOnError()
      await queryClient.invalidateQueries({ queryKey: flowsQuery(viewerId).queryKey })
      return data
    },
    onSuccess: (id) => {
      form.forgetDraft()
      toast.success(flow ? texts.saved : texts.created)
      if (!flow) onCreated(id)
    },
  })
  const stepsError = form.errors.steps
  return (
    <div className={classes.editor}>
      <Anchor component={Link} to="?tab=flows" size="sm" className={classes.back}>
        <IconArrowLeft size={16} stroke={1.75} aria-hidden="true" />
        {texts.back}
      </Anchor>
      <div className={classes.flowHead}>
        <h2 className={classes.title} dir="auto">
          {flow?.name ?? texts.titleNew}
        </h2>
        {flow && <FlowStatus status={flow.status} />}
        {flow && <FlowActions viewerId={viewerId} flow={flow} onDeleted={onClose} />}
      </div>
      <form noValidate onSubmit={form.handleSubmit((values) => save.mutateAsync(values))}>
        <Stack gap="lg">
          <TextInput
            label={texts.name}
            description={texts.nameHint}
            required
            maxLength={flowNameMaxLength}
            dir="auto"
            {...form.getInputProps('name')}
          />
          <TriggerFields viewerId={viewerId} form={form} />
          <fieldset className={classes.fieldset}>
            <legend>{texts.quiet}</legend>
            <Group gap="sm" align="flex-start">
              <TextInput type="time" label={texts.quietFrom} {...form.getInputProps('quietFrom')} />
              <TextInput type="time" label={texts.quietUntil} {...form.getInputProps('quietUntil')} />
            </Group>
            <Text size="sm" c="dimmed">
              {texts.quietHint}
            </Text>
          </fieldset>
          <FlowSteps
            viewerId={viewerId}
            saved={flow?.steps ?? []}
            steps={form.values.steps}
            onChange={(change) => form.setFieldValue('steps', change)}
          />
          {stepsError && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {stepsError}
            </Text>
          )}
          <FormFoot submit={texts.save} pending={save.isPending} failed={texts.failed} error={save.error} />
        </Stack>
      </form>
    </div>
  )
}

const triggers = Object.keys(flowTexts.triggers) as Trigger['trigger'][]

function TriggerFields({ viewerId, form }: { viewerId: string; form: AppForm<FlowValues> }) {
  const { trigger, list, link } = form.values
  return (
    <div className={classes.fields}>
      <NativeSelect
        label={texts.trigger}
        data={triggers.map((name) => ({ value: name, label: flowTexts.triggers[name] }))}
        {...form.getInputProps('trigger')}
      />
      {trigger === 'payment' && <PriceInput label={texts.amount} {...form.getInputProps('dollars')} />}
      {trigger === 'inactive' && (
        <NumberInput
          label={texts.days}
          description={texts.seenHint}
          suffix={` ${texts.daysSuffix}`}
          min={1}
          max={flowDaysMax}
          allowDecimal={false}
          allowNegative={false}
          {...form.getInputProps('days')}
        />
      )}
      {trigger === 'list' && (
        <ListField viewerId={viewerId} value={list} onChange={(next) => form.setFieldValue('list', next)} />
      )}
      {trigger === 'link' && (
        <LinkField viewerId={viewerId} value={link} onChange={(next) => form.setFieldValue('link', next)} />
      )}
    </div>
  )
}
