import { Slider } from 'radix-ui'
import { useId } from 'react'
import type { PauseSettings } from './editor.ts'

interface Props {
  readonly settings: PauseSettings
  readonly onChange: (settings: Partial<PauseSettings>, pull: string) => void
  readonly onRelease: () => void
}

const sliders = [
  { name: 'thresholdDb', label: 'Quieter than', unit: 'dB', min: -80, max: -10, step: 0.5, decimals: 1 },
  { name: 'minSeconds', label: 'For at least', unit: 's', min: 0.1, max: 3, step: 0.05, decimals: 2 },
  { name: 'keptSeconds', label: 'Leave of each pause', unit: 's', min: 0, max: 2, step: 0.05, decimals: 2 },
] as const

/** What is a pause, and what stays of it. */
export function PauseSliders({ settings, onChange, onRelease }: Props) {
  return (
    <div className="flex flex-col gap-3">
      {sliders.map(({ name, ...slider }) => (
        <LabeledSlider
          key={name}
          {...slider}
          value={settings[name]}
          onChange={(value) => onChange({ [name]: value }, name)}
          onRelease={onRelease}
        />
      ))}
    </div>
  )
}

interface SliderProps {
  readonly label: string
  readonly unit: string
  readonly min: number
  readonly max: number
  readonly step: number
  readonly decimals: number
  readonly value: number
  readonly onChange: (value: number) => void
  readonly onRelease: () => void
}

function LabeledSlider({ label, unit, min, max, step, decimals, value, onChange, onRelease }: SliderProps) {
  const id = useId()
  return (
    <div className="flex flex-col">
      <div className="flex justify-between text-xs">
        <span id={id}>{label}</span>
        <output className="text-quiet tabular-nums">
          {value.toFixed(decimals)} {unit}
        </output>
      </div>
      <Slider.Root
        min={min}
        max={max}
        step={step}
        value={[value]}
        onValueChange={([next]) => {
          if (next !== undefined) onChange(next)
        }}
        onValueCommit={onRelease}
        className="relative flex h-7 touch-none items-center select-none pointer-coarse:h-11"
      >
        <Slider.Track className="relative h-1 flex-1 rounded-full bg-line">
          <Slider.Range className="absolute h-full rounded-full bg-accent" />
        </Slider.Track>
        <Slider.Thumb
          aria-labelledby={id}
          aria-valuetext={`${value.toFixed(decimals)} ${unit}`}
          className="block size-4 rounded-full border-2 border-accent bg-surface"
        />
      </Slider.Root>
    </div>
  )
}
