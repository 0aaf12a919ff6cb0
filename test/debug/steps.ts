// A kernel whose lanes diverge at a branch, call a function, meet at a barrier, count with an atomic, and store. Tests
// depend on its line numbers.

export const steps = `.version 8.0
.target sm_90
.address_size 64

.visible .global .u32 counter;

.func (.param .b32 r) twice(.param .b32 x)
{
	.reg .b32 %r<3>;
	ld.param.b32 %r0, [x];
	add.s32 %r1, %r0, %r0;
	st.param.b32 [r], %r1;
	ret;
}

.visible .entry k(.param .u64 out, .param .u32 n)
{
	.reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<5>; .reg .f32 %f<3>;
	.shared .align 4 .b32 tile[64];
	ld.param.u64 %rd1, [out];
	ld.param.u32 %r1, [n];
	mov.u32 %r2, %tid.x;
	setp.lt.u32 %p1, %r2, %r1;
	@%p1 bra $low;
	mul.lo.u32 %r3, %r2, 100;
	bra $join;
$low:
	mul.lo.u32 %r3, %r2, 10;
$join:
	{
		.param .b32 a, b;
		st.param.b32 [a], %r3;
		call (b), twice, (a);
		ld.param.b32 %r4, [b];
	}
	mov.u32 %r5, tile;
	shl.b32 %r6, %r2, 2;
	add.u32 %r5, %r5, %r6;
	st.shared.u32 [%r5], %r4;
	bar.sync 0;
	ld.shared.u32 %r7, [%r5];
	atom.global.add.u32 %r8, [counter], 1;
	mad.wide.u32 %rd2, %r2, 4, %rd1;
	cvt.rn.f32.u32 %f1, %r7;
	st.global.f32 [%rd2], %f1;
	ret;
}
`;
