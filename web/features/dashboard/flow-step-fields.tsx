import { Button, CloseButton, Group, NativeSelect, NumberInput, Stack, Text, Textarea } from '@mantine/core'
import { flowDaysMax, flowMinutesMax, messageFilesMax, messageMaxLength } from '@ovation/contract/limits'
import { flowTexts as texts } from '@ovation/contract/texts/flows'
import { messageTexts } from '@ovation/contract/texts/messages'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { IconLibraryPhoto } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { RuleField } from '../../domain/fans/rule-field.tsx'
import { fileNameOf } from '../../domain/vault/file-name.ts'
import { PriceInput } from '../../ui/price-input.tsx'
import { type DraftStep, type Unit, unitMinutes } from './flow-draft.ts'
import { ListField } from './flow-list-field.tsx'
import classes from './flows.module.css'

const VaultPicker = lazy(() => import('../../domain/vault/vault-picker.tsx'))

type Of<Kind extends DraftStep['kind']> = Extract<DraftStep, { kind: Kind }>
type Props<Step extends DraftStep> = {
  viewerId: string
  step: Step
  /** It was just added. */
  hasFocus: boolean
  onChange: (step: DraftStep) => void
}

/** What one step of a flow says. */
export function StepFields({ step, ...props }: Props<DraftStep>) {
  const { viewerId, onChange } = props
  if (step.kind === 'wait') return <WaitFields step={step} {...props} />
  if (step.kind === 'send') return <MessageFields step={step} {...props} />
  if (step.kind === 'promotion_code') return <PromotionFields step={step} {...props} />
  if (step.kind === 'condition')
    return (
      <Stack gap="xs">
        <RuleField viewerId={viewerId} value={step.rule} onChange={(rule) => onChange({ ...step, rule })} />
        <Text size="sm" c="dimmed">
          {texts.conditionHint}
        </Text>
      </Stack>
    )
  if (step.kind === 'end')
    return (
      <Text size="sm" c="dimmed">
        {texts.endHint}
      </Text>
    )
  return <ListField viewerId={viewerId} value={step.list} onChange={(list) => onChange({ ...step, list })} />
}

function WaitFields({ step, hasFocus, onChange }: Props<Of<'wait'>>) {
  return (
    <Group gap="sm" align="flex-end" wrap="nowrap">
      <NumberInput
        aria-label={texts.wait.amount}
        autoFocus={hasFocus}
        min={1}
        max={flowMinutesMax}
        allowDecimal={false}
        allowNegative={false}
        value={step.amount}
        onChange={(amount) => onChange({ ...step, amount })}
        className={classes.short}
      />
      <NativeSelect
        aria-label={texts.wait.unit}
        value={step.unit}
        onChange={({ currentTarget }) => onChange({ ...step, unit: currentTarget.value as Unit })}
        data={Object.keys(unitMinutes).map((unit) => ({ value: unit, label: texts.wait.units[unit as Unit] }))}
      />
    </Group>
  )
}

function PromotionFields({ step, hasFocus, onChange }: Props<Of<'promotion_code'>>) {
  return (
    <Stack gap="xs">
      <Group gap="sm" align="flex-end">
        <NumberInput
          label={texts.promotion.percent}
          autoFocus={hasFocus}
          suffix="%"
          min={1}
          max={100}
          allowDecimal={false}
          allowNegative={false}
          value={step.percent}
          onChange={(percent) => onChange({ ...step, percent })}
          className={classes.short}
        />
        <NumberInput
          label={texts.promotion.days}
          suffix={` ${texts.form.daysSuffix}`}
          min={1}
          max={flowDaysMax}
          allowDecimal={false}
          allowNegative={false}
          value={step.days}
          onChange={(days) => onChange({ ...step, days })}
          className={classes.short}
        />
      </Group>
      <Text size="sm" c="dimmed">
        {texts.promotion.hint}
      </Text>
    </Stack>
  )
}

function MessageFields({ step, hasFocus, onChange }: Props<Of<'send'>>) {
  const [picking, setPicking] = useState(false)
  const { content, price, files, preview } = step
  return (
    <Stack gap="sm">
      <Textarea
        label={texts.send.text}
        description={texts.send.textHint}
        autoFocus={hasFocus}
        rows={4}
        maxLength={messageMaxLength}
        dir="auto"
        value={content}
        onChange={({ currentTarget }) => onChange({ ...step, content: currentTarget.value })}
      />
      <PriceInput
        label={texts.send.price}
        description={texts.send.priceHint}
        value={price}
        onChange={(next) => onChange({ ...step, price: next })}
      />
      <div>
        {files.length > 0 && (
          <ul className={classes.files} aria-label={texts.send.files}>
            {files.map((file) => (
              <li key={file.id}>
                <span>{fileNameOf(file)}</span>
                <CloseButton
                  size="sm"
                  aria-label={messageTexts.compose.remove(fileNameOf(file))}
                  onClick={() => onChange({ ...step, files: files.filter(({ id }) => id !== file.id) })}
                />
              </li>
            ))}
          </ul>
        )}
        <Button
          variant="default"
          leftSection={<IconLibraryPhoto size={18} stroke={1.6} />}
          disabled={files.length >= messageFilesMax}
          onClick={() => setPicking(true)}
        >
          {vaultTexts.picker.open}
        </Button>
      </div>
      {price !== '' && files.length > 0 && (
        <NativeSelect
          label={texts.send.preview}
          value={preview}
          onChange={({ currentTarget }) => onChange({ ...step, preview: currentTarget.value })}
          data={[
            { value: '', label: texts.send.noPreview },
            ...files.map((file) => ({ value: file.id, label: fileNameOf(file) })),
          ]}
        />
      )}
      {picking && (
        <Suspense>
          <VaultPicker
            most={messageFilesMax - files.length}
            onPick={(picked) =>
              onChange({
                ...step,
                // A file is in a message once.
                files: [
                  ...files,
                  ...picked.flatMap(({ file }) => (files.some(({ id }) => id === file.id) ? [] : [file])),
                ],
              })
            }
            onClose={() => setPicking(false)}
          />
        </Suspense>
      )}
    </Stack>
  )
}
