import type { ButtonHTMLAttributes } from 'react'

const shape =
  'inline-flex min-h-9 items-center justify-center gap-2 rounded-md px-4 font-medium pointer-coarse:min-h-11 cursor-pointer aria-disabled:opacity-60 aria-disabled:cursor-default'

export const buttonStyle = {
  primary: `${shape} bg-accent text-on-accent hover:bg-accent-strong`,
  secondary: `${shape} border border-edge bg-surface text-ink hover:bg-raised`,
  danger: `${shape} border border-danger bg-surface text-danger hover:bg-raised`,
}

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: keyof typeof buttonStyle
  /** Keeps the focus, and does nothing until the work is done. */
  readonly isBusy?: boolean
}

export function Button({
  look = 'secondary',
  isBusy = false,
  type = 'button',
  onClick,
  className = '',
  ...rest
}: Props) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={`${buttonStyle[look]} ${className}`}
    />
  )
}
