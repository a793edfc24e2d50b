# Runs in place of ffmpeg and tries what no tool may. One line each: `done NAME` or `refused NAME: WHY`.
use strict;
use warnings;
my ($folder, $input, $port, $other_port) = @ARGV;
$| = 1;

sub tried { my ($name, $worked) = @_; print $worked ? "done $name\n" : "refused $name: $!\n" }
sub loopback { return pack 'S n C4 x8', 2, $_[0], 127, 0, 0, 1 }
sub stream_to { my ($to, $protocol) = @_; socket(my $socket, 2, 1, $protocol) or return; return connect $socket, loopback($to) }
my $is_x64 = -e '/lib64/ld-linux-x86-64.so.2';

tried('needed: reads its input', open my $own, '<', $input);
tried('needed: writes in its folder', open my $made, '>', "$folder/made");
tried('needed: connects to its port', stream_to($port, 0));
tried('reads another file', open my $passwd, '<', '/etc/passwd');
tried('lists a folder', opendir my $root, '/');
tried('lists other processes', opendir my $init, '/proc/1');
tried('writes outside its folder', open my $outside, '>', "$folder-outside");
tried('writes its input', open my $changed, '+<', $input);
tried('leaves a link', symlink '/etc/passwd', "$folder/link");
tried('makes a folder', mkdir "$folder/sub");
tried('connects to another port', stream_to($other_port, 0));
tried('connects by MPTCP', stream_to($other_port, 262));
my ($fast, $server);
tried('connects by TCP fast open', socket($fast, 2, 1, 0) && defined send $fast, 'x', 0x20000000, loopback($other_port));
tried('listens', socket($server, 2, 1, 0) && bind($server, loopback(0)) && listen $server, 1);
tried('opens a UDP socket', socket my $udp, 2, 2, 0);
tried('opens an IPv6 socket', socket my $six, 10, 1, 0);
tried('opens a unix socket', socket my $unix, 1, 1, 0);
tried('opens a netlink socket', socket my $netlink, 16, 3, 0);
my $child = fork;
exit if defined $child && $child == 0;
tried('forks', defined $child);
tried('signals its parent', kill 0, getppid);
my $unlimited = pack 'Q2', 1 << 40, 1 << 40;
tried('raises its memory limit', syscall($is_x64 ? 302 : 261, 0, 2, $unlimited, 0) == 0);
my $ring = "\0" x 120;
tried('sets up io_uring', syscall(425, 1, $ring) >= 0);
tried('makes a namespace', syscall($is_x64 ? 272 : 97, 0x10000000) == 0);
my @open;
for (1 .. 200) { open my $one, '<', $input or last; push @open, $one }
tried('opens 200 files', @open == 200);
@open = ();
no warnings;
exec { '/bin/sh' } 'sh', '-c', 'echo "done runs a shell"';
print "refused runs a shell: $!\n";
